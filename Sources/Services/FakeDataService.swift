/// A service that does what a test or a preview tells it to, and remembers what it was asked.
///
/// There are three ways to say what it answers. It can keep users and posts in memory and behave
/// like a real service:
///
/// ```swift
/// let service = FakeDataService(users: [ada], posts: [firstPost])
/// ```
///
/// It can follow a script, one result a call; the last one repeats:
///
/// ```swift
/// let service = FakeDataService.scripted(
///   fetchPosts: [.failure(.timedOut(reason: "no answer in 1 s")), .success([firstPost])])
/// ```
///
/// Or it can run code, which is told how many calls of its kind came before:
///
/// ```swift
/// let service = FakeDataService(
///   fetchUsers: { _ in [] },
///   fetchPosts: { call throws(DataServiceError) in call < 2 ? [] : [firstPost] },
///   createPost: { draft, _ throws(DataServiceError) in throw .cancelled })
/// ```
///
/// On top of each, ``fail(_:onCall:with:)`` replaces the answer to one call, ``hold(_:onCall:)``
/// makes one wait until the test lets it go, and ``delay(_:by:on:)`` makes calls take time on a
/// clock.
///
/// A call whose task is cancelled throws ``DataServiceError/cancelled``, as a real service would,
/// and changes nothing. Any task and thread may use the service.
public final class FakeDataService: DataService {
  /// One of the things a service can be asked.
  public enum Operation: Hashable, CaseIterable, Sendable {
    /// To return every user.
    case fetchUsers
    /// To return every post.
    case fetchPosts
    /// To store a post.
    case createPost
  }

  /// A call that was made.
  public enum Call: Hashable, Sendable {
    /// Every user was asked for.
    case fetchUsers
    /// Every post was asked for.
    case fetchPosts
    /// This post was to be stored.
    case createPost(PostDraft)

    /// What was asked, without the details.
    public var operation: Operation {
      switch self {
      case .fetchUsers: .fetchUsers
      case .fetchPosts: .fetchPosts
      case .createPost: .createPost
      }
    }
  }

  /// Returns the users for a call; the number counts the calls of this kind before it, from 0.
  public typealias FetchUsers = @Sendable (Int) async throws(DataServiceError) -> [User]
  /// Returns the posts for a call; the number counts the calls of this kind before it, from 0.
  public typealias FetchPosts = @Sendable (Int) async throws(DataServiceError) -> [Post]
  /// Stores a post; the number counts the calls of this kind before it, from 0.
  public typealias CreatePost = @Sendable (PostDraft, Int) async throws(DataServiceError) -> Post

  private struct State {
    var calls: [Call] = []
    var failures: [Place: DataServiceError] = [:]
    var holds: [Place: Hold] = [:]
    var delays: [Operation: Delay] = [:]

    func callCount(_ operation: Operation) -> Int {
      calls.count { $0.operation == operation }
    }
  }

  /// The n-th call of a kind, counted from 1.
  private struct Place: Hashable {
    var operation: Operation
    var number: Int
  }

  private typealias Delay = @Sendable () async throws -> Void

  private let state = Lock(State())
  private let users: FetchUsers
  private let posts: FetchPosts
  private let create: CreatePost

  /// Creates a service that runs code.
  ///
  /// - Parameters:
  ///   - fetchUsers: Answers each call for users.
  ///   - fetchPosts: Answers each call for posts.
  ///   - createPost: Answers each call to store a post.
  public init(
    fetchUsers: @escaping FetchUsers, fetchPosts: @escaping FetchPosts,
    createPost: @escaping CreatePost
  ) {
    users = fetchUsers
    posts = fetchPosts
    create = createPost
  }
}

// MARK: - What was asked

extension FakeDataService {
  /// Every call made so far, in the order made, also those that failed or still wait.
  public var calls: [Call] { state.withLock { $0.calls } }

  /// Returns how many calls of a kind were made so far.
  public func callCount(_ operation: Operation) -> Int {
    state.withLock { $0.callCount(operation) }
  }
}

// MARK: - What goes wrong, and when

extension FakeDataService {
  /// Makes one call fail, whatever its answer would have been.
  ///
  /// - Parameters:
  ///   - operation: The kind of call.
  ///   - number: Which of them, counted from 1 since the service was created.
  ///   - error: What it throws.
  public func fail(_ operation: Operation, onCall number: Int, with error: DataServiceError) {
    state.withLock { $0.failures[Place(operation: operation, number: number)] = error }
  }

  /// Makes one call wait, after it was recorded and before it is answered.
  ///
  /// - Parameters:
  ///   - operation: The kind of call.
  ///   - number: Which of them, counted from 1 since the service was created; nil for the next that
  ///     is not yet made nor held.
  /// - Returns: The hold, which says when the call has come, and lets it go.
  public func hold(_ operation: Operation, onCall number: Int? = nil) -> Hold {
    state.withLock { state in
      var place = Place(operation: operation, number: number ?? state.callCount(operation) + 1)
      while number == nil && state.holds[place] != nil { place.number += 1 }
      if let hold = state.holds[place] { return hold }
      let hold = Hold()
      state.holds[place] = hold
      return hold
    }
  }

  /// Makes every later call of a kind take time on a clock, after any hold.
  ///
  /// - Parameters:
  ///   - operation: The kind of call.
  ///   - duration: How long it takes.
  ///   - clock: The clock to sleep on.
  public func delay<Time: Clock<Duration>>(
    _ operation: Operation, by duration: Duration, on clock: Time
  ) {
    state.withLock { $0.delays[operation] = { try await clock.sleep(for: duration) } }
  }
}

// MARK: - Answering

extension FakeDataService {
  /// Returns the users that were set up for this call.
  public func fetchUsers() async throws(DataServiceError) -> [User] {
    try await users(prepare(.fetchUsers))
  }

  /// Returns the posts that were set up for this call.
  public func fetchPosts() async throws(DataServiceError) -> [Post] {
    try await posts(prepare(.fetchPosts))
  }

  /// Returns the post that was set up for this call.
  public func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
    try await create(draft, prepare(.createPost(draft)))
  }

  /// Records a call, goes through what was put in its way, and returns how many came before it.
  private func prepare(_ call: Call) async throws(DataServiceError) -> Int {
    let (number, hold, delay, failure) = state.withLock { state in
      state.calls.append(call)
      let place = Place(operation: call.operation, number: state.callCount(call.operation))
      return (
        place.number, state.holds[place], state.delays[place.operation], state.failures[place]
      )
    }
    await hold?.waitInCall()
    do {
      try await delay?()
    } catch {
      throw .cancelled
    }
    guard !Task.isCancelled else { throw .cancelled }
    if let failure { throw failure }
    return number - 1
  }
}
