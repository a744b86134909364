import Middleware
import Posts
import Services
import Store
import TestSupport
import Testing

/// Each effect by itself, with a store that has no reducer: what it asks the service, and what it
/// sends.
@Suite(.timeLimit(.minutes(5)))
struct PostsSideEffectsTests {
  private struct ThemeChanged: Action {}

  /// Sends actions to one effect, and returns what it sent in turn, as text.
  private func answers(
    of effect: @Sendable (any DataService) -> MiddlewareItem, with service: FakeDataService,
    to actions: any Action...
  ) async -> [any Action] {
    let sent = Recorder<any Action>()
    let store = Store(
      initialState: 0, reducer: .combine([]),
      middleware: [
        Middleware { action, context, next in
          if case .effect = context.identity.cause { sent.record(action) }
          return next(action)
        },
        createMiddleware(items: [effect(service)]),
      ],
      diagnostics: { Issue.record("unexpected: \($0)") })
    for action in actions { store.dispatch(action) }
    await store.idle()
    return sent.values
  }

  // MARK: - fetchUsers

  @Test func `fetchUsers does not call the service for another action`() async {
    let service = FakeDataService()
    let sent = await answers(
      of: fetchUsers(dataService:), with: service, to: ThemeChanged(), FetchPosts.request,
      CreatePost.request(Sample.draft))
    #expect(sent.isEmpty)
    #expect(service.calls.isEmpty)
  }

  @Test func `fetchUsers does not call the service for its own answers`() async {
    let service = FakeDataService()
    let sent = await answers(
      of: fetchUsers(dataService:), with: service, to: FetchUsers.success([Sample.ada]),
      FetchUsers.failure(Sample.offline))
    #expect(sent.isEmpty)
    #expect(service.calls.isEmpty)
  }

  @Test func `fetchUsers dispatches success with the service's users`() async {
    let service = FakeDataService(users: [Sample.ada, Sample.grace])
    let sent = await answers(of: fetchUsers(dataService:), with: service, to: FetchUsers.request)
    #expect(sent as? [FetchUsers] == [.success([Sample.ada, Sample.grace])])
    #expect(service.calls == [.fetchUsers])
  }

  @Test func `fetchUsers dispatches failure with the service's error`() async {
    let service = FakeDataService.scripted(fetchUsers: [.failure(Sample.offline)])
    let sent = await answers(of: fetchUsers(dataService:), with: service, to: FetchUsers.request)
    #expect(sent as? [FetchUsers] == [.failure(Sample.offline)])
    #expect(service.calls == [.fetchUsers])
  }

  // MARK: - fetchPosts

  @Test func `fetchPosts does not call the service for another action`() async {
    let service = FakeDataService()
    let sent = await answers(
      of: fetchPosts(dataService:), with: service, to: ThemeChanged(), FetchUsers.request,
      CreatePost.request(Sample.draft))
    #expect(sent.isEmpty)
    #expect(service.calls.isEmpty)
  }

  @Test func `fetchPosts does not call the service for its own answers`() async {
    let service = FakeDataService()
    let sent = await answers(
      of: fetchPosts(dataService:), with: service, to: FetchPosts.success([Sample.first]),
      FetchPosts.failure(Sample.offline))
    #expect(sent.isEmpty)
    #expect(service.calls.isEmpty)
  }

  @Test func `fetchPosts dispatches success with the service's posts`() async {
    let service = FakeDataService(posts: [Sample.first, Sample.second])
    let sent = await answers(of: fetchPosts(dataService:), with: service, to: FetchPosts.request)
    #expect(sent as? [FetchPosts] == [.success([Sample.first, Sample.second])])
    #expect(service.calls == [.fetchPosts])
  }

  @Test func `fetchPosts dispatches failure with the service's error`() async {
    let service = FakeDataService.scripted(fetchPosts: [.failure(Sample.offline)])
    let sent = await answers(of: fetchPosts(dataService:), with: service, to: FetchPosts.request)
    #expect(sent as? [FetchPosts] == [.failure(Sample.offline)])
    #expect(service.calls == [.fetchPosts])
  }

  // MARK: - createPost

  @Test func `createPost does not call the service for another action`() async {
    let service = FakeDataService()
    let sent = await answers(
      of: createPost(dataService:), with: service, to: ThemeChanged(), FetchUsers.request,
      FetchPosts.request)
    #expect(sent.isEmpty)
    #expect(service.calls.isEmpty)
  }

  @Test func `createPost does not call the service for its own answers`() async {
    let service = FakeDataService()
    let sent = await answers(
      of: createPost(dataService:), with: service, to: CreatePost.success(Sample.third),
      CreatePost.failure(Sample.refused))
    #expect(sent.isEmpty)
    #expect(service.calls.isEmpty)
  }

  @Test func `createPost dispatches success with the post the service confirmed`() async {
    let service = FakeDataService.scripted(createPost: [.success(Sample.third)])
    let sent = await answers(
      of: createPost(dataService:), with: service, to: CreatePost.request(Sample.draft))
    #expect(sent as? [CreatePost] == [.success(Sample.third)])
    #expect(service.calls == [.createPost(Sample.draft)])
  }

  @Test func `createPost dispatches failure with the service's error`() async {
    let service = FakeDataService.scripted(createPost: [.failure(Sample.refused)])
    let sent = await answers(
      of: createPost(dataService:), with: service, to: CreatePost.request(Sample.draft))
    #expect(sent as? [CreatePost] == [.failure(Sample.refused)])
    #expect(service.calls == [.createPost(Sample.draft)])
  }

  @Test func `createPost calls the service once for each request, even for equal ones`() async {
    let service = FakeDataService()
    let sent = await answers(
      of: createPost(dataService:), with: service, to: CreatePost.request(Sample.draft),
      CreatePost.request(Sample.draft))
    #expect(sent.count == 2)
    #expect(service.calls == [.createPost(Sample.draft), .createPost(Sample.draft)])
  }
}
