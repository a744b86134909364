/// A selector that computes something from parts of the state, and computes it anew only when one
/// of them has changed.
///
/// ```swift
/// let visiblePosts = MemoizedSelector(\AppState.posts.values, \.filter) { posts, filter in
///   posts.filter { filter.matches($0) }
/// }
///
/// let subscription = store.subscribe(visiblePosts.select) { posts in show(posts) }
/// ```
///
/// In each commit the inputs are read and compared with those of the last computation, so that is
/// worth its while where they are cheap to compare and the computation is not. The result of one
/// selector may be an input of another: `MemoizedSelector(visiblePosts.select, \.user) { … }`.
///
/// > Important: The inputs of the last computation are kept. As long as a collection is, the next
/// > action that changes it in the state copies all of it. For a large one take as input something
/// > small that changes with it, such as a count or a version.
///
/// It may be called on any thread. What it remembers is one computation: two stores, or two parts
/// of one state, that share a selector get right results, and each turn computes anew.
public final class MemoizedSelector<State, Output: Sendable>: Sendable {
  private let output: @Sendable (State) -> Output
  private let count: @Sendable () -> Int

  private init<Input: Equatable & Sendable>(
    input: @escaping @Sendable (State) -> Input, compute: @escaping @Sendable (Input) -> Output
  ) {
    let memory = SelectorMemory(compute: compute)
    output = { memory.output(for: input($0)) }
    count = { memory.recomputations }
  }

  /// Creates a selector of one input.
  ///
  /// - Parameters:
  ///   - input: reads what the result depends on.
  ///   - compute: makes the result of that and of nothing else; like every selector it must be
  ///     pure.
  public convenience init<Input: Equatable & Sendable>(
    _ input: @escaping @Sendable (State) -> Input,
    compute: @escaping @Sendable (Input) -> Output
  ) {
    self.init(input: input, compute: compute)
  }

  /// Creates a selector of two inputs.
  ///
  /// - Parameters:
  ///   - first: reads a part of what the result depends on.
  ///   - second: reads the other.
  ///   - compute: makes the result of both and of nothing else.
  public convenience init<First: Equatable & Sendable, Second: Equatable & Sendable>(
    _ first: @escaping @Sendable (State) -> First,
    _ second: @escaping @Sendable (State) -> Second,
    compute: @escaping @Sendable (First, Second) -> Output
  ) {
    self.init(input: { Pair(first($0), second($0)) }) { compute($0.first, $0.second) }
  }

  /// Creates a selector of three inputs; for more, make a result of some of them an input.
  ///
  /// - Parameters:
  ///   - first: reads a part of what the result depends on.
  ///   - second: reads another.
  ///   - third: reads the last.
  ///   - compute: makes the result of all three and of nothing else.
  public convenience init<
    First: Equatable & Sendable, Second: Equatable & Sendable, Third: Equatable & Sendable
  >(
    _ first: @escaping @Sendable (State) -> First,
    _ second: @escaping @Sendable (State) -> Second,
    _ third: @escaping @Sendable (State) -> Third,
    compute: @escaping @Sendable (First, Second, Third) -> Output
  ) {
    self.init(input: { Pair(Pair(first($0), second($0)), third($0)) }) {
      compute($0.first.first, $0.first.second, $0.second)
    }
  }

  /// Returns the result for a state; if its inputs are those of the last computation, the same
  /// again.
  public func select(_ state: State) -> Output { output(state) }

  /// How often the result was computed.
  public var recomputations: Int { count() }
}

private struct Pair<First: Equatable & Sendable, Second: Equatable & Sendable>: Equatable, Sendable
{
  let first: First
  let second: Second

  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }
}
