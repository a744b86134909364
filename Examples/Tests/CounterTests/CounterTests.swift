import Middleware
import StoreTesting
import Testing

@testable import Counter

struct FakeCountService: CountService { func count() async -> Int { 3 } }

struct CounterTests {
  @Test func `loading shows the count`() async {
    let store = TestStore(
      initialState: CounterState(), reducer: counterReducer,
      middleware: [createMiddleware(items: [loadCount(service: FakeCountService())])])

    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
  }
}
