public import Middleware
public import Store

/// A family of actions that ask for something, and tell how that went.
///
/// Write it as an enum with three cases; only `input` needs code:
///
/// ```swift
/// enum FetchPosts: RequestAction {
///   case request, success([Post]), failure(DataServiceError)
///   var input: Void? { if case .request = self { () } else { nil } }
/// }
/// ```
public protocol RequestAction: Action {
  /// What the request carries; `Void` if nothing.
  associatedtype Input: Sendable
  /// What success carries.
  associatedtype Output: Sendable
  /// What failure carries.
  associatedtype Failure: Error

  /// The action that tells of success.
  static func success(_ output: Output) -> Self

  /// The action that tells of failure.
  static func failure(_ failure: Failure) -> Self

  /// What the request carries, or nil for success and failure.
  var input: Input? { get }
}

extension MiddlewareItem {
  /// Creates the effect that answers a request: it makes the call and dispatches its success or its
  /// failure.
  ///
  /// ```swift
  /// func createPost(dataService: any DataService) -> MiddlewareItem {
  ///   .request(CreatePost.self) { draft throws(DataServiceError) in
  ///     try await dataService.createPost(draft)
  ///   }
  /// }
  /// ```
  ///
  /// A run that was cancelled dispatches neither.
  ///
  /// - Parameters:
  ///   - type: the family of actions.
  ///   - key: what a run is about, read from the input.
  ///   - policy: what happens when the request comes again meanwhile.
  ///   - name: the name in logs and diagnostics, and to cancel by; that of the calling function
  ///     unless given.
  ///   - fileID: the file that answers are said to come from.
  ///   - line: the line that answers are said to come from.
  ///   - call: the work.
  /// - Returns: the effect as an item for `createMiddleware(items:)`.
  public static func request<A: RequestAction>(
    _ type: A.Type, key: (@Sendable (A.Input) -> any Hashable & Sendable)? = nil,
    _ policy: EffectPolicy = .every, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ call: @escaping @Sendable (A.Input) async throws(A.Failure) -> A.Output
  ) -> MiddlewareItem {
    answer(
      type, key: key, policy, share: nil, name: name, SourceLine(fileID: fileID, line: line), call)
  }

  /// Creates the effect that answers the requests of a family, one call for all requests that ask
  /// for the same at the same time.
  ///
  /// Runs whose inputs are equal and that overlap make one call, as with
  /// ``EffectContext/share(as:forced:_:)``, and each sends its answer.
  ///
  /// - Parameters:
  ///   - type: the family of actions.
  ///   - key: what a run is about, read from the input.
  ///   - policy: what happens when the request comes again meanwhile.
  ///   - isShared: whether calls are shared.
  ///   - name: the name in logs and diagnostics, and to cancel by; that of the calling function
  ///     unless given.
  ///   - fileID: the file that answers are said to come from.
  ///   - line: the line that answers are said to come from.
  ///   - call: the work.
  /// - Returns: the effect as an item for `createMiddleware(items:)`.
  public static func request<A: RequestAction>(
    _ type: A.Type, key: (@Sendable (A.Input) -> any Hashable & Sendable)? = nil,
    _ policy: EffectPolicy = .every, shared isShared: Bool, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ call: @escaping @Sendable (A.Input) async throws(A.Failure) -> A.Output
  ) -> MiddlewareItem where A.Input: Hashable {
    var share: (@Sendable (A.Input) -> any Hashable & Sendable)?
    if isShared { share = { $0 } }
    let source = SourceLine(fileID: fileID, line: line)
    return answer(type, key: key, policy, share: share, name: name, source, call)
  }

  private static func answer<A: RequestAction>(
    _ type: A.Type, key: (@Sendable (A.Input) -> any Hashable & Sendable)?, _ policy: EffectPolicy,
    share: (@Sendable (A.Input) -> any Hashable & Sendable)?, name: StaticString,
    _ source: SourceLine,
    _ call: @escaping @Sendable (A.Input) async throws(A.Failure) -> A.Output
  ) -> MiddlewareItem {
    effect(on: type, for: \.input, key: key, policy, name: name) { input, effect in
      let makeAnswer: @Sendable () async -> A = {
        do throws(A.Failure) {
          return .success(try await call(input))
        } catch {
          return .failure(error)
        }
      }
      let result =
        if let share {
          try await effect.share(as: share(input), makeAnswer)
        } else {
          await makeAnswer()
        }
      effect.dispatch(result, fileID: source.fileID, line: source.line)
    }
  }

  /// Creates the effect that answers a request which carries nothing.
  ///
  /// ```swift
  /// func fetchPosts(dataService: any DataService) -> MiddlewareItem {
  ///   .request(FetchPosts.self, .latest, dataService.fetchPosts)
  /// }
  /// ```
  public static func request<A: RequestAction>(
    _ type: A.Type, _ policy: EffectPolicy = .every, shared isShared: Bool = false,
    name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line,
    _ call: @escaping @Sendable () async throws(A.Failure) -> A.Output
  ) -> MiddlewareItem where A.Input == Void {
    var share: (@Sendable (A.Input) -> any Hashable & Sendable)?
    if isShared { share = { _ in Nothing() } }
    return answer(
      type, key: nil, policy, share: share, name: name, SourceLine(fileID: fileID, line: line)
    ) { _ async throws(A.Failure) in try await call() }
  }
}

/// What requests ask for that carry nothing.
private struct Nothing: Hashable {}
