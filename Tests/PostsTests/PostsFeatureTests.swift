import Middleware
import Posts
import Services
import SideEffects
import Store
import TestSupport
import Testing

/// The feature as an app has it: a store with its reducer, its effects and a service.
@Suite(.timeLimit(.minutes(5)))
struct PostsFeatureTests {
  private func makeStore(
    _ service: FakeDataService,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = { Issue.record("unexpected: \($0)") }
  ) -> Store<AppState> {
    Store(
      initialState: AppState(), reducer: appReducer,
      middleware: [createMiddleware(items: injectService(service, into: dataServiceSideEffects))],
      diagnostics: diagnostics)
  }

  @Test func `users and posts go from the service into the state`() async {
    let service = FakeDataService(users: [Sample.ada], posts: [Sample.first, Sample.second])
    let store = makeStore(service)
    await store.dispatch(FetchUsers.request).finish()
    await store.dispatch(FetchPosts.request).finish()
    #expect(
      store.state
        == AppState(
          users: UsersState(values: [Sample.ada]),
          posts: PostsState(values: [Sample.first, Sample.second])))
    #expect(service.calls == [.fetchUsers, .fetchPosts])
  }

  @Test func `the effects take any service, whatever type it is known by`() async {
    /// A service that is a structure.
    struct Forwarding: DataService {
      var service: FakeDataService
      func fetchUsers() async throws(DataServiceError) -> [User] { try await service.fetchUsers() }
      func fetchPosts() async throws(DataServiceError) -> [Post] { try await service.fetchPosts() }
      func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
        try await service.createPost(draft)
      }
    }
    let fake = FakeDataService(users: [Sample.ada])
    let structure = Forwarding(service: fake)
    let existential: any DataService = structure
    let lists = [
      injectService(fake, into: dataServiceSideEffects),
      injectService(structure, into: dataServiceSideEffects),
      injectService(existential, into: dataServiceSideEffects),
      injectService(FakeDataService(users: [Sample.ada]), into: [fetchUsers(dataService:)]),
    ]
    for items in lists {
      let store = Store(
        initialState: AppState(), reducer: appReducer,
        middleware: [createMiddleware(items: items)])
      await store.dispatch(FetchUsers.request).finish()
      #expect(store.state.users.values == [Sample.ada])
    }
  }

  @Test func `a created post is in the state and comes back with the next fetch`() async {
    let service = FakeDataService(posts: [Sample.first, Sample.second])
    let store = makeStore(service)
    await store.dispatch(CreatePost.request(Sample.draft)).finish()
    #expect(store.state.posts.created == Sample.third)
    #expect(store.state.posts.values == [Sample.third])
    await store.dispatch(FetchPosts.request).finish()
    #expect(store.state.posts.values == [Sample.first, Sample.second, Sample.third])
  }

  @Test func `each effect of the list answers its own request`() async {
    let service = FakeDataService(users: [Sample.ada], posts: [Sample.first])
    let store = makeStore(service)
    store.dispatch(FetchUsers.request)
    store.dispatch(FetchPosts.request)
    store.dispatch(CreatePost.request(Sample.draft))
    await store.idle()
    #expect(Set(service.calls.map(\.operation)) == Set(FakeDataService.Operation.allCases))
    #expect(service.calls.count == 3)
  }

  @Test func `while a request is under way the state says so`() async {
    let service = FakeDataService(posts: [Sample.first])
    let hold = service.hold(.fetchPosts)
    let store = makeStore(service)
    let handle = store.dispatch(FetchPosts.request)
    #expect(store.state.posts == PostsState(isLoading: true))
    hold.release()
    await handle.finish()
    #expect(store.state.posts == PostsState(values: [Sample.first]))
  }

  @Test func `a failure keeps the values, and the next request may succeed`() async {
    let service = FakeDataService(users: [Sample.ada])
    service.fail(.fetchUsers, onCall: 2, with: Sample.offline)
    let store = makeStore(service)
    for expected in [nil, Sample.offline, nil] {
      await store.dispatch(FetchUsers.request).finish()
      #expect(store.state.users == UsersState(values: [Sample.ada], failure: expected))
    }
  }

  @Test func `E25: requests that overlap share one call, and all see its answer`() async {
    // Given a call under way
    let service = FakeDataService.scripted(
      fetchPosts: [.success([Sample.first]), .success([Sample.first, Sample.second])])
    let call = service.hold(.fetchPosts, onCall: 1)
    let notices = Recorder<Diagnostic>()
    let store = makeStore(service, diagnostics: { notices.record($0) })
    let older = store.dispatch(FetchPosts.request)
    await call.reached()
    // When it is asked for again
    let newer = store.dispatch(FetchPosts.request)
    await older.finish()
    call.release()
    await newer.finish()
    // Then it was made once, and the next is another
    #expect(store.state.posts == PostsState(values: [Sample.first]))
    #expect(service.callCount(.fetchPosts) == 1)
    await store.dispatch(FetchPosts.request).finish()
    #expect(store.state.posts == PostsState(values: [Sample.first, Sample.second]))
    #expect(notices.values.allSatisfy { $0.severity == .notice })
  }

  @Test func `a service that ignores cancellation cannot overwrite a newer answer either`() async {
    let gate = Gate()
    let service = FakeDataService(
      fetchUsers: { call in
        guard call == 0 else { return [Sample.grace] }
        _ = await Task { await gate.wait() }.value
        return [Sample.ada]
      },
      fetchPosts: { _ in [] },
      createPost: { _, _ throws(DataServiceError) in throw .cancelled })
    let notices = Recorder<Diagnostic>()
    let store = makeStore(service, diagnostics: { notices.record($0) })
    let older = store.dispatch(FetchUsers.request)
    store.cancelEffects(.named("fetchUsers"))
    await older.finish()
    await store.dispatch(FetchUsers.request).finish()
    gate.open()
    await store.idle()
    #expect(store.state.users == UsersState(values: [Sample.grace]))
    #expect(notices.values.allSatisfy { $0.severity == .notice })
  }

  @Test func `E15: posts are created one after the other, independently of fetches`() async {
    let service = FakeDataService(posts: [Sample.first, Sample.second])
    let fetch = service.hold(.fetchPosts)
    let creations = [service.hold(.createPost), service.hold(.createPost)]
    let store = makeStore(service)
    // Given a fetch and two creations, of which the second waits for the first
    store.dispatch(FetchPosts.request)
    let drafts = ["One", "Two"].map { PostDraft(title: $0, body: "") }
    let handles = drafts.map { store.dispatch(CreatePost.request($0)) }
    await creations[0].reached()
    #expect(store.state.posts.creating == 2)
    #expect(service.callCount(.createPost) == 1)
    // When the first is confirmed
    creations[0].release()
    await handles[0].finish()
    #expect(store.state.posts.values.map(\.title) == ["One"])
    await creations[1].reached()
    creations[1].release()
    await handles[1].finish()
    #expect(store.state.posts.values.map(\.title) == ["One", "Two"])
    // Then the answer to the fetch has all of them
    fetch.release()
    await store.idle()
    #expect(
      Set(store.state.posts.values.map(\.title)) == ["On engines", "On moths", "One", "Two"])
    #expect(!store.state.posts.isLoading)
  }

  @Test(arguments: ["fetchUsers", "fetchPosts", "createPost"])
  func `an effect can be cancelled by the name of its function`(name: String) async {
    let service = FakeDataService(users: [Sample.ada], posts: [Sample.first])
    let holds = FakeDataService.Operation.allCases.map { service.hold($0) }
    let store = makeStore(service, diagnostics: { _ in })
    store.dispatch(FetchUsers.request)
    store.dispatch(FetchPosts.request)
    store.dispatch(CreatePost.request(Sample.draft))
    switch name {
    case "fetchUsers": store.cancelEffects(.named("fetchUsers"))
    case "fetchPosts": store.cancelEffects(.named("fetchPosts"))
    default: store.cancelEffects(.named("createPost"))
    }
    for hold in holds { hold.release() }
    await store.idle()
    #expect(store.state.users.values.isEmpty == (name == "fetchUsers"))
    #expect(store.state.posts.isLoading == (name == "fetchPosts"))
    #expect((store.state.posts.created == nil) == (name == "createPost"))
  }
}
