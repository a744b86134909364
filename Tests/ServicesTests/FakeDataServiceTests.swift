import TestSupport
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5)))
struct FakeDataServiceTests {
  private let post = Post(id: 1, userID: 1, title: "t", body: "b")
  private let draft = PostDraft(userID: 1, title: "t", body: "b")
  private let failure = DataServiceError.timedOut(reason: "no answer in 1 s")

  @Test func `D5: with posts in memory it behaves like a real service`() async throws {
    // Given a service with a post whose identity is not the next number
    let service = FakeDataService(
      users: [User(id: 1, name: "Ada")], posts: [Post(id: 7, title: "old", body: "")])

    // When a post is created
    let created = try await service.createPost(draft)

    // Then it follows the largest, and comes back
    #expect(created == Post(id: 8, userID: 1, title: "t", body: "b"))
    #expect(try await service.fetchPosts().map(\.id) == [7, 8])
    #expect(try await service.fetchUsers().map(\.name) == ["Ada"])
  }

  @Test func `D5: without anything it is empty and works`() async throws {
    let service = FakeDataService()
    #expect(try await service.fetchUsers() == [])
    #expect(try await service.createPost(draft).id == 1)
    #expect(try await service.fetchPosts().count == 1)
  }

  @Test func `T7: a script is followed in order and its last result repeats`() async throws {
    let service = FakeDataService.scripted(
      fetchPosts: [.failure(failure), .success([]), .success([post])])

    await #expect(throws: failure) { try await service.fetchPosts() }
    #expect(try await service.fetchPosts() == [])
    #expect(try await service.fetchPosts() == [post])
    #expect(try await service.fetchPosts() == [post])
  }

  @Test func `T7: a call without a script says how to give it one`() async throws {
    let service = FakeDataService.scripted(fetchPosts: [.success([])])
    let expected = DataServiceError.invalidRequest(
      reason: "the fake service has no result scripted for createPost. "
        + "Give it one: .scripted(createPost: [.success(…)]).")
    await #expect(throws: expected) { try await service.createPost(draft) }
  }

  @Test func `T7: code can answer, and knows how many calls came before`() async throws {
    let draft = draft
    let service = FakeDataService(
      fetchUsers: { call throws(DataServiceError) in [User(id: .number(Int64(call)), name: "x")] },
      fetchPosts: { _ throws(DataServiceError) in [] },
      createPost: { given, call throws(DataServiceError) in
        Post(id: .number(Int64(call)), title: given.title, body: given.body)
      })

    #expect(try await service.fetchUsers().map(\.id) == [0])
    #expect(try await service.fetchUsers().map(\.id) == [1])
    #expect(try await service.createPost(draft) == Post(id: 0, title: "t", body: "b"))
  }

  @Test func `T7: the log has every call in order, also those that fail`() async throws {
    let service = FakeDataService.scripted(
      fetchUsers: [.success([])], createPost: [.failure(failure)])

    _ = try await service.fetchUsers()
    await #expect(throws: failure) { try await service.createPost(draft) }
    _ = try await service.fetchUsers()

    #expect(service.calls == [.fetchUsers, .createPost(draft), .fetchUsers])
    #expect(service.callCount(.fetchUsers) == 2)
    #expect(service.callCount(.fetchPosts) == 0)
  }

  @Test func `T7: the n-th call of a kind fails, and only that`() async throws {
    // Given a working service whose second fetch of posts is to fail
    let service = FakeDataService(posts: [post])
    service.fail(.fetchPosts, onCall: 2, with: failure)
    service.fail(.createPost, onCall: 1, with: .cancelled)

    // When it is called, with calls of another kind in between
    #expect(try await service.fetchPosts() == [post])
    #expect(try await service.fetchUsers() == [])
    await #expect(throws: failure) { try await service.fetchPosts() }

    // Then only those fail, and a post that failed to be created is not there
    await #expect(throws: DataServiceError.cancelled) { try await service.createPost(draft) }
    #expect(try await service.fetchPosts() == [post])
  }

  @Test func `T7: a held call waits until it is released`() async throws {
    // Given a held call
    let service = FakeDataService(posts: [post])
    let hold = service.hold(.fetchPosts)
    let answered = Recorder<[Post]>()
    let task = Task {
      let posts = try await service.fetchPosts()
      answered.record(posts)
    }

    // When it has come, then it is logged but not answered
    await hold.reached()
    #expect(hold.isReached)
    #expect(service.calls == [.fetchPosts])
    #expect(answered.values == [])

    // And calls of its own and other kinds go past it
    #expect(try await service.fetchPosts() == [post])
    #expect(try await service.fetchUsers() == [])

    // When it is released, then it is answered
    #expect(answered.values == [])
    hold.release()
    hold.release()
    try await task.value
    #expect(answered.values == [[post]])
  }

  @Test func `T7: two held calls can be released in the other order`() async throws {
    // Given two calls, each held, with an answer of its own
    let service = FakeDataService.scripted(fetchPosts: [.success([]), .success([post])])
    let first = service.hold(.fetchPosts)
    let second = service.hold(.fetchPosts)
    let ended = Recorder<String>()
    let older = Task {
      let posts = try await service.fetchPosts()
      #expect(posts == [])
      ended.record("older")
    }
    await first.reached()
    let newer = Task {
      let posts = try await service.fetchPosts()
      #expect(posts == [post])
      ended.record("newer")
    }
    await second.reached()

    // When the newer is answered first
    second.release()
    try await newer.value
    first.release()
    try await older.value

    // Then the late answer is still the older one's
    #expect(ended.values == ["newer", "older"])
  }

  @Test func `T7: a hold may be for a later call, and released before it comes`() async throws {
    let service = FakeDataService(posts: [post])
    let third = service.hold(.fetchPosts, onCall: 3)
    #expect(third === service.hold(.fetchPosts, onCall: 3))
    third.release()
    for _ in 1...3 { #expect(try await service.fetchPosts() == [post]) }
    #expect(third.isReached)
  }

  @Test func `T7: cancelling ends a held call, which changes nothing`() async throws {
    // Given a post that is being created
    let service = FakeDataService()
    let hold = service.hold(.createPost)
    let draft = draft
    let task = Task { try await service.createPost(draft) }
    await hold.reached()

    // When its task is cancelled, with nobody releasing it
    task.cancel()

    // Then it ends as a real service would
    await #expect(throws: DataServiceError.cancelled) { try await task.value }
    #expect(try await service.fetchPosts() == [])
  }

  @Test func `T7: a call that was cancelled before it was made ends at once`() async throws {
    let service = FakeDataService.scripted(fetchPosts: [.success([post])])
    let hold = service.hold(.fetchPosts)
    let start = Gate()
    let task = Task {
      await start.wait()
      return try await service.fetchPosts()
    }
    task.cancel()
    start.open()
    await #expect(throws: DataServiceError.cancelled) { try await task.value }
    #expect(hold.isReached)
  }

  @Test func `T7: cancelling races with releasing and nothing is left waiting`() async throws {
    for _ in 1...500 {
      let service = FakeDataService(posts: [post])
      let hold = service.hold(.fetchPosts)
      let task = Task { try await service.fetchPosts() }
      async let released: Void = hold.release()
      async let cancelled: Void = task.cancel()
      _ = await (released, cancelled)
      switch await task.result {
      case .success(let posts): #expect(posts == [post])
      case .failure(let error): #expect(error as? DataServiceError == .cancelled)
      }
    }
  }

  @Test func `T7: a delay is slept on the given clock, and cancelling ends it`() async throws {
    // Given a clock that the test moves
    let clock = HandClock()
    let service = FakeDataService(posts: [post])
    service.delay(.fetchPosts, by: .seconds(3), on: clock)

    // When a call is made, then it sleeps as long as it was told
    let task = Task { try await service.fetchPosts() }
    #expect(await clock.sleeps.waitForCount(1) == [.seconds(3)])
    clock.wake.open()
    #expect(try await task.value == [post])

    // And a cancelled one ends
    let other = HandClock()
    service.delay(.fetchPosts, by: .seconds(5), on: other)
    let cancelled = Task { try await service.fetchPosts() }
    await other.sleeps.waitForCount(1)
    cancelled.cancel()
    await #expect(throws: DataServiceError.cancelled) { try await cancelled.value }
  }

  @Test func `T7: many tasks may use it at once`() async throws {
    let service = FakeDataService()
    try await withThrowingTaskGroup { group in
      for number in 1...200 {
        group.addTask {
          try await service.createPost(PostDraft(title: "\(number)", body: ""))
        }
      }
      var identities: Set<RecordID> = []
      for try await post in group { identities.insert(post.id) }
      #expect(identities == Set((1...200).map { RecordID.number($0) }))
    }
    #expect(service.calls.count == 200)
  }
}

/// A clock whose time stands still until the test opens its gate.
private final class HandClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
  }

  let sleeps = Recorder<Duration>()
  let wake = Gate()
  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    sleeps.record(deadline.offset)
    guard await wake.wait() else { throw CancellationError() }
  }
}
