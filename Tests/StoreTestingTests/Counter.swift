import Middleware
import SideEffects
import Store

struct CounterState: Equatable, Sendable {
  var count = 0
  var isLoading = false
}

enum Counter: Action, Equatable { case increment, load, loaded(Int) }

let counterReducer = Reducer<CounterState>.on(Counter.self) { state, action in
  switch action {
  case .increment: state.count += 1
  case .load: state.isLoading = true
  case .loaded(let count): state = CounterState(count: count)
  }
}

func loadCount(_ count: @escaping @Sendable () async -> Int) -> MiddlewareItem {
  .effect(on: Counter.load, .latest) { effect in effect.dispatch(Counter.loaded(await count())) }
}
