import Middleware
import Posts
import Services
import StoreTesting
import TestSupport
import Testing

/// The feature in a store for tests, with a service that is slow on the clock of the test.
@Suite(.timeLimit(.minutes(5)))
struct PostsTestStoreTests {
  private func makeStore(_ service: FakeDataService, _ clock: TestClock) -> TestStore<AppState> {
    TestStore(
      initialState: AppState(), reducer: appReducer,
      middleware: [createMiddleware(items: injectService(service, into: dataServiceSideEffects))],
      clock: clock)
  }

  @Test func `T7: a delay of the service passes with the clock of the test`() async {
    let (clock, service) = (TestClock(), FakeDataService(posts: [Sample.first]))
    service.delay(.fetchPosts, by: .seconds(3_600), on: clock)
    let store = makeStore(service, clock)

    await store.send(FetchPosts.request) { $0.posts.isLoading = true }
    #expect(service.calls == [.fetchPosts])
    await clock.advance(by: .seconds(3_600))
    await store.receive(FetchPosts.self) { $0.posts = PostsState(values: [Sample.first]) }
    await store.finish()
  }

  @Test func `T7: the n-th call fails when its delay is over`() async {
    let (clock, service) = (TestClock(), FakeDataService(users: [Sample.ada]))
    service.delay(.fetchUsers, by: .seconds(1), on: clock)
    service.fail(.fetchUsers, onCall: 2, with: Sample.offline)
    let store = makeStore(service, clock)

    for failure in [nil, Sample.offline] {
      await store.send(FetchUsers.request) { $0.users.isLoading = true }
      await clock.advance(by: .seconds(1))
      await store.receive(FetchUsers.self) {
        $0.users = UsersState(values: [Sample.ada], failure: failure)
      }
    }
    await store.finish()
  }

  @Test func `T2: two requests side by side are received in any order`() async {
    let service = FakeDataService(users: [Sample.ada], posts: [Sample.first])
    let clock = TestClock()
    service.delay(.fetchUsers, by: .seconds(2), on: clock)
    service.delay(.fetchPosts, by: .seconds(1), on: clock)
    let store = makeStore(service, clock)

    await store.send(FetchUsers.request) { $0.users.isLoading = true }
    await store.send(FetchPosts.request) { $0.posts.isLoading = true }
    await clock.run()
    await store.receive(
      inAnyOrder: .action(FetchUsers.self) { $0.users = UsersState(values: [Sample.ada]) },
      .action(FetchPosts.self) { $0.posts = PostsState(values: [Sample.first]) })
    await store.finish()
  }
}
