import Middleware
import SideEffects
import Store

struct SlowCountService: CountService {
  func count() async -> Int {
    try? await Task.sleep(for: .milliseconds(100))
    return 41
  }
}

let store = Store(
  initialState: CounterState(), reducer: counterReducer,
  middleware: [createMiddleware(items: [loadCount(service: SlowCountService())])])

let subscription = store.subscribe(\.count) { print("count is", $0) }

await store.dispatch(Counter.load).finish()
store.dispatch(Counter.increment)
