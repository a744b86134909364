import Baselines
import CMemory

extension Increment: BaselineAction {}
extension Unconcerned: BaselineAction {}
extension Append: BaselineAction {}

private func counterReducer(action: any BaselineAction, state: Counter?) -> Counter {
  var state = state ?? Counter()
  if action is Increment {
    state.count += 1
  }
  return state
}

private func unconcernedReducer(action: any BaselineAction, state: Counter?) -> Counter {
  var state = state ?? Counter()
  if action is Unconcerned {
    state.count = -1
  }
  return state
}

private func unconcernedItem(action: any BaselineAction, dispatch: @escaping BaselineDispatch) {
  if action is Unconcerned {
    dispatch(Increment())
  }
}

private func passingLink(
  dispatch: @escaping BaselineDispatch, state: @escaping () -> Counter?
) -> (@escaping BaselineDispatch) -> BaselineDispatch {
  { next in { action in next(action) } }
}

private func baselineCombined(
  _ reducers: [BaselineReducer<Counter>]
) -> BaselineReducer<Counter> {
  { action, state in
    var state = state ?? Counter()
    for reducer in reducers {
      state = reducer(action, state)
    }
    return state
  }
}

@Sendable
func baselineDispatch(_ operations: Int) throws -> Double {
  try measureBaseline(operations)
}

/// A thousand items, none for the action that is sent, and each asked about it.
@Sendable
func baselineItems(_ operations: Int) throws -> Double {
  let items = [BaselineItem](repeating: unconcernedItem, count: 1_000)
  return try measureBaseline(operations, middleware: [baselineMiddleware(items: items)])
}

/// A hundred reducers, one of them for the action that is sent, and each asked about it.
@Sendable
func baselineReducers(_ operations: Int) throws -> Double {
  let unconcerned = [BaselineReducer<Counter>](repeating: unconcernedReducer, count: 99)
  return try measureBaseline(
    operations, reducer: baselineCombined(unconcerned + [counterReducer]))
}

private func measureBaseline(
  _ operations: Int, reducer: @escaping BaselineReducer<Counter> = counterReducer,
  middleware: [BaselineMiddleware<Counter>] = []
) throws -> Double {
  let store = BaselineStore(reducer: reducer, state: Counter(), middleware: middleware)
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Increment())
    }
  }
  try expect(store.state?.count, equals: operations)
  return time
}

/// What one link adds: the difference between ten and none, so that it stands out of the noise.
@Sendable
func baselineLink(_ operations: Int) throws -> Double {
  let without = try measureBaseline(operations)
  let links = [BaselineMiddleware<Counter>](repeating: passingLink, count: 10)
  let with = try measureBaseline(operations, middleware: links)
  return (with - without) / 10
}

private final class CountingSubscriber: BaselineSubscriber {
  private(set) var deliveries = 0

  func accept(_ value: Int) {
    deliveries += 1
  }
}

/// A key path that is written where it is used costs no more than a closure, so each part has a
/// function of its own.
@Sendable
func baselineObservers(_ operations: Int) throws -> Double {
  try baselineObservers(operations, deliveriesEach: operations + 1) { store, subscriber in
    store.subscribe(subscriber) { $0.select(\.count).skipRepeats(==) }
  }
}

@Sendable
func baselineSkippedObservers(_ operations: Int) throws -> Double {
  try baselineObservers(operations, deliveriesEach: 1) { store, subscriber in
    store.subscribe(subscriber) { $0.select(\.constant).skipRepeats(==) }
  }
}

private func baselineObservers(
  _ operations: Int, deliveriesEach: Int,
  subscribe: (BaselineStore<Counter>, CountingSubscriber) -> Void
) throws -> Double {
  let store = BaselineStore(reducer: counterReducer, state: Counter())
  let subscribers = (0..<1_000).map { _ in CountingSubscriber() }
  for subscriber in subscribers { subscribe(store, subscriber) }
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Increment())
    }
  }
  for subscriber in subscribers {
    try expect(subscriber.deliveries, equals: deliveriesEach)
  }
  return time
}

/// Appends to an array that is kept at `count` elements, so that every append costs the same.
func baselineAppend(_ operations: Int, count: Int) throws -> Double {
  let store = BaselineStore<[Int]>(
    reducer: { action, state in
      var state = state ?? []
      if let append = action as? Append {
        state.removeLast()
        state.append(append.value)
      }
      return state
    },
    state: [Int](repeating: 0, count: count))
  let time = nanoseconds(for: operations) {
    for value in 1...operations {
      store.dispatch(Append(value: value))
    }
  }
  try expect(store.state?.count, equals: count)
  try expect(store.state?.last, equals: operations)
  return time
}

/// Dispatches the next action from inside the delivery of the one before.
private final class ChainingSubscriber: BaselineSubscriber {
  let store: BaselineStore<Counter>
  let end: Int

  init(store: BaselineStore<Counter>, end: Int) {
    self.store = store
    self.end = end
  }

  func accept(_ count: Int) {
    if count % end != 0 {
      store.dispatch(Increment())
    }
  }
}

/// A hop in chains of a hundred: each nests in the one before, and a few thousand end the process.
@Sendable
func baselineChain(_ operations: Int) throws -> Double {
  let length = 100
  let chains = max(1, operations / length)
  let store = BaselineStore(reducer: counterReducer, state: Counter())
  let subscriber = ChainingSubscriber(store: store, end: length)
  store.subscribe(subscriber) { $0.select(\.count).skipRepeats(==) }
  let time = nanoseconds(for: chains * length) {
    for _ in 0..<chains {
      store.dispatch(Increment())
    }
  }
  try expect(store.state?.count, equals: chains * length)
  withExtendedLifetime(subscriber) {}
  return time
}

/// A subscription beside 10,000 others, without the end of it.
@Sendable
func baselineSubscribe(_ operations: Int) throws -> Double {
  let store = BaselineStore(reducer: counterReducer, state: Counter())
  let subscribers = (0..<10_000 + operations).map { _ in CountingSubscriber() }
  for subscriber in subscribers.prefix(10_000) {
    store.subscribe(subscriber) { $0.select(\.count).skipRepeats(==) }
  }
  let time = nanoseconds(for: operations) {
    for subscriber in subscribers.suffix(operations) {
      store.subscribe(subscriber) { $0.select(\.count).skipRepeats(==) }
    }
  }
  for subscriber in subscribers {
    try expect(subscriber.deliveries, equals: 1)
  }
  return time
}

/// The memory that a subscription takes, without the subscriber.
@Sendable
func baselineSubscribeBytes(_ operations: Int) throws -> Double {
  let store = BaselineStore(reducer: counterReducer, state: Counter())
  let subscribers = (0..<operations).map { _ in CountingSubscriber() }
  let before = Int(cmemory_bytes_in_use())
  for subscriber in subscribers {
    store.subscribe(subscriber) { $0.select(\.count).skipRepeats(==) }
  }
  let after = Int(cmemory_bytes_in_use())
  for subscriber in subscribers {
    try expect(subscriber.deliveries, equals: 1)
  }
  try expect(after > before, equals: true)
  return Double(after - before) / Double(operations)
}
