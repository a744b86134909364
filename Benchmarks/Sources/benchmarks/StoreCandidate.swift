import CMemory
import Dispatch
import Middleware
import Store

extension Increment: Action {}
extension Unconcerned: Action {}
extension Append: Action {}

private let counterReducer = Reducer<Counter>.on(Increment.self) { state, _ in state.count += 1 }
private let unconcernedReducer = Reducer<Counter>.on(Unconcerned.self) { state, _ in
  state.count = -1
}

@Sendable
func storeDispatch(_ operations: Int) throws -> Double {
  try measureStore(operations)
}

/// A thousand items, none for the action that is sent.
@Sendable
func storeItems(_ operations: Int) throws -> Double {
  let item = MiddlewareItem.on(Unconcerned.self) { _, dispatch in dispatch(Increment()) }
  let items = [MiddlewareItem](repeating: item, count: 1_000)
  return try measureStore(operations, middleware: [createMiddleware(items: items)])
}

/// A hundred reducers, one of them for the action that is sent.
@Sendable
func storeReducers(_ operations: Int) throws -> Double {
  let unconcerned = [Reducer<Counter>](repeating: unconcernedReducer, count: 99)
  return try measureStore(operations, reducer: .combine(unconcerned + [counterReducer]))
}

/// What one link adds: the difference between ten and none, so that it stands out of the noise.
@Sendable
func storeLink(_ operations: Int) throws -> Double {
  let without = try measureStore(operations)
  let with = try storeTenLinks(operations)
  return (with - without) / 10
}

func storeTenLinks(_ operations: Int) throws -> Double {
  let link = Middleware<Counter> { action, _, next in next(action) }
  return try measureStore(operations, middleware: .init(repeating: link, count: 10))
}

private func measureStore(
  _ operations: Int, reducer: Reducer<Counter> = counterReducer,
  middleware: [Middleware<Counter>] = []
) throws -> Double {
  let store = Store(initialState: Counter(), reducer: reducer, middleware: middleware)
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Increment())
    }
  }
  try expect(store.state.count, equals: operations)
  return time
}

/// A dispatch while another thread dispatches too: wall time through the dispatches of both.
@Sendable
func storeContended(_ operations: Int) throws -> Double {
  let store = Store(initialState: Counter(), reducer: counterReducer)
  let time = nanoseconds(for: 2 * operations) {
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<operations {
        store.dispatch(Increment())
      }
    }
  }
  try expect(store.state.count, equals: 2 * operations)
  return time
}

@Sendable
func storeObservers(_ operations: Int) throws -> Double {
  try storeObservers(operations, deliveriesEach: operations + 1) { store, tally in
    store.subscribe(\.count) { _ in tally.add() }
  }
}

@Sendable
func storeSkippedObservers(_ operations: Int) throws -> Double {
  try storeObservers(operations, deliveriesEach: 1) { store, tally in
    store.subscribe(\.constant) { _ in tally.add() }
  }
}

private func storeObservers(
  _ operations: Int, deliveriesEach: Int,
  subscribe: (Store<Counter>, Tally) -> StoreSubscription
) throws -> Double {
  let store = Store(initialState: Counter(), reducer: counterReducer)
  let tallies = (0..<1_000).map { _ in Tally() }
  let subscriptions = tallies.map { subscribe(store, $0) }
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      store.dispatch(Increment())
    }
  }
  for tally in tallies {
    try expect(tally.count, equals: deliveriesEach)
  }
  withExtendedLifetime(subscriptions) {}
  return time
}

/// Appends to an array that is kept at `count` elements, so that every append costs the same.
func storeAppend(_ operations: Int, count: Int) throws -> Double {
  let reducer = Reducer<[Int]>.on(Append.self) { values, append in
    values.removeLast()
    values.append(append.value)
  }
  let store = Store(initialState: [Int](repeating: 0, count: count), reducer: reducer)
  let time = nanoseconds(for: operations) {
    for value in 1...operations {
      store.dispatch(Append(value: value))
    }
  }
  try expect(store.state.count, equals: count)
  try expect(store.state.last, equals: operations)
  return time
}

/// The same, each append sent by an observer of the one before it, which holds the store until the
/// subscription ends.
func storeAppendObserved(_ operations: Int, count: Int) throws -> Double {
  let reducer = Reducer<[Int]>.on(Append.self) { values, append in
    values.removeLast()
    values.append(append.value)
  }
  let store = Store(
    initialState: [Int](repeating: 0, count: count), reducer: reducer, diagnostics: ignoringLoops)
  let subscription = store.subscribe({ $0[$0.count - 1] }) { last in
    if last != 0, last < operations {
      store.dispatch(Append(value: last + 1))
    }
  }
  let time = nanoseconds(for: operations) {
    store.dispatch(Append(value: 1))
  }
  try expect(store.state.last, equals: operations)
  subscription.cancel()
  return time
}

/// A hop in one chain: each action is sent by an observer of the one before it.
@Sendable
func storeChain(_ operations: Int) throws -> Double {
  let store = Store(
    initialState: Counter(), reducer: counterReducer, diagnostics: ignoringLoops)
  let subscription = store.subscribe(\.count) { count in
    if count != 0, count < operations {
      store.dispatch(Increment())
    }
  }
  let time = nanoseconds(for: operations) {
    store.dispatch(Increment())
  }
  try expect(store.state.count, equals: operations)
  subscription.cancel()
  return time
}

/// A subscription beside 10,000 others, without the end of it.
@Sendable
func storeSubscribe(_ operations: Int) throws -> Double {
  try storeSubscribe(operations, keeping: { _, _ in })
}

/// The same; `keep` is given what to hold on to where not even the end may be counted.
func storeSubscribe(
  _ operations: Int, keeping keep: (Store<Counter>, [StoreSubscription]) -> Void
) throws -> Double {
  let store = Store(initialState: Counter(), reducer: counterReducer)
  let tally = Tally()
  let others = (0..<10_000).map { _ in store.subscribe(\.count) { _ in tally.add() } }
  var subscriptions: [StoreSubscription] = []
  subscriptions.reserveCapacity(operations)
  let time = nanoseconds(for: operations) {
    for _ in 0..<operations {
      subscriptions.append(store.subscribe(\.count) { _ in tally.add() })
    }
  }
  try expect(tally.count, equals: 10_000 + operations)
  keep(store, subscriptions)
  keep(store, others)
  withExtendedLifetime((others, subscriptions)) {}
  return time
}

/// The memory that a subscription takes, its token included.
@Sendable
func storeSubscribeBytes(_ operations: Int) throws -> Double {
  let store = Store(initialState: Counter(), reducer: counterReducer)
  let tally = Tally()
  var subscriptions: [StoreSubscription] = []
  subscriptions.reserveCapacity(operations)
  let before = Int(cmemory_bytes_in_use())
  for _ in 0..<operations {
    subscriptions.append(store.subscribe(\.count) { _ in tally.add() })
  }
  let after = Int(cmemory_bytes_in_use())
  try expect(tally.count, equals: operations)
  try expect(after > before, equals: true)
  withExtendedLifetime(subscriptions) {}
  return Double(after - before) / Double(operations)
}

/// A chain of a million is meant here.
@Sendable
private func ignoringLoops(_ diagnostic: Diagnostic) {
  if case .probableLoop = diagnostic { return }
  Diagnostic.standardHandler(diagnostic)
}
