/// How an action changes the state: a pure function, as a value that composes.
///
/// A reducer changes the state in place, so that an action costs what it changes and not what the
/// state weighs:
///
/// ```swift
/// let counterReducer = Reducer<CounterState>.on(Counter.self) { state, action in
///   switch action {
///   case .increment: state.count += 1
///   case .load: state.isLoading = true
///   case .loaded(let count): state = CounterState(count: count)
///   }
/// }
///
/// let appReducer = Reducer<AppState>.combine(
///   counterReducer.scoped(to: \.counter),
///   settingsReducer.scoped(to: \.settings)
/// )
/// ```
///
/// Reducers run one at a time, in the order in which they were written, while the store is locked.
/// They must be pure: the same state and action give the same state, and nothing else happens. A
/// reducer that calls the store it belongs to is diagnosed.
public struct Reducer<State>: Sendable {
  /// One step of a reduction.
  ///
  /// A structure, because a bare closure in an array or an optional costs a thunk at each call.
  @usableFromInline struct Reduction: Sendable {
    /// Changes the state, and answers whether there was anything for the action to be about.
    ///
    /// It was not where the part is nil, or no element has the action's identity: such an action
    /// counts as handled by nobody.
    @usableFromInline let reduce: @Sendable (inout State, any Action) -> Bool

    /// Whether it was made for the action's own type, and not for whatever comes.
    @usableFromInline let isTyped: Bool

    @inlinable
    init(
      isTyped: Bool = true, _ reduce: @escaping @Sendable (inout State, any Action) -> Bool
    ) {
      self.isTyped = isTyped
      self.reduce = reduce
    }

    /// Makes one step of many; nil of none.
    @inlinable
    init?(_ reductions: [Reduction]) {
      guard let first = reductions.first else { return nil }
      guard reductions.count > 1 else {
        self = first
        return
      }
      self.init(isTyped: reductions.contains(where: \.isTyped)) { state, action in
        var isHandled = false
        for reduction in reductions where reduction.reduce(&state, action) { isHandled = true }
        return isHandled
      }
    }
  }

  /// The steps for actions of one type; none, if the reducer does not handle that type.
  ///
  /// The store asks once for each type it meets and keeps the answer.
  @usableFromInline let reductions: @Sendable (any Action.Type) -> [Reduction]

  @inlinable
  init(reductions: @escaping @Sendable (any Action.Type) -> [Reduction]) {
    self.reductions = reductions
  }

  /// Creates a reducer that is asked about every action, of whatever type.
  ///
  /// Prefer ``on(_:_:)``: a reducer that names its action type costs nothing for all others, and
  /// leaves the observers of an action that it does not handle alone.
  @inlinable
  public init(_ reduce: @escaping @Sendable (inout State, any Action) -> Void) {
    self.init { (_: any Action.Type) in
      [
        Reduction(isTyped: false) { state, action in
          reduce(&state, action)
          return true
        }
      ]
    }
  }

  /// Creates a reducer for the actions of exactly one type.
  @inlinable
  public static func on<A: Action>(
    _ type: A.Type, _ reduce: @escaping @Sendable (inout State, A) -> Void
  ) -> Reducer {
    Reducer { candidate in
      guard candidate == type else { return [] }
      return [
        Reduction { state, action in
          // The store routes by exact type, so it is one.
          guard let action = action.exactly(type) else { return false }
          reduce(&state, action)
          return true
        }
      ]
    }
  }

  /// Returns the state after one action, for tests and previews of a reducer by itself.
  @inlinable
  public func callAsFunction(_ state: State, _ action: any Action) -> State {
    var state = state
    for reduction in reductions(type(of: action)) {
      _ = reduction.reduce(&state, action)
    }
    return state
  }
}

extension Reducer {
  /// Runs reducers one after the other, in the order written.
  @inlinable
  public static func combine(_ reducers: Reducer...) -> Reducer {
    combine(reducers)
  }

  /// Runs reducers one after the other, in the order of the array.
  @inlinable
  public static func combine(_ reducers: [Reducer]) -> Reducer {
    Reducer { type in reducers.flatMap { $0.reductions(type) } }
  }

  /// Returns a reducer of a larger state that leaves to this one the part at `keyPath`.
  ///
  /// The part is changed where it stands; nothing is copied.
  @inlinable
  public func scoped<Parent>(
    to keyPath: any WritableKeyPath<Parent, State> & Sendable
  ) -> Reducer<Parent> {
    Reducer<Parent> { type in
      reductions(type).map { reduction in
        Reducer<Parent>.Reduction(isTyped: reduction.isTyped) { parent, action in
          reduction.reduce(&parent[keyPath: keyPath], action)
        }
      }
    }
  }

  /// Wraps a reducer of ReSwift's shape, which takes the action first and returns a new state.
  ///
  /// The wrapped function is asked about every action, is given a state that is never nil, and
  /// costs a copy of each collection that it changes: the store still holds the old state while it
  /// runs.
  @inlinable
  public init(wrapping reduce: @escaping @Sendable (any Action, State?) -> State) {
    self.init { (state: inout State, action: any Action) in state = reduce(action, state) }
  }
}
