import Store
import Synchronization

/// Work whose instructions and allocations are counted, in a process of its own.
enum CountedWork: String {
  case dispatch
  case tenLinks
  case observers
  case skippedObservers
  case chain
  case subscribe
  case unconcernedEffects
  case roundtrip
  case floorImmediate
  case debounceChurn

  /// What is not to end before the process does.
  private static let kept = Mutex<[(Store<Counter>, [StoreSubscription])]>([])

  /// What runs this program so that it does nothing else.
  func command(_ operations: Int) -> [String] {
    [CommandLine.arguments[0], "--count", rawValue, "\(operations)"]
  }

  /// Does the work `operations` times; what it takes is of no interest.
  func sample(_ operations: Int) async throws -> Double {
    switch self {
    case .dispatch: try storeDispatch(operations)
    case .tenLinks: try storeTenLinks(operations)
    case .observers: try storeObservers(operations)
    case .skippedObservers: try storeSkippedObservers(operations)
    case .chain: try storeChain(operations)
    case .unconcernedEffects: try effectsUnconcerned(operations)
    case .roundtrip: try effectRoundtrip(operations)
    case .floorImmediate: try benchmarks.floorImmediate(operations)
    case .debounceChurn: try await effectDebounce(operations)
    case .subscribe:
      try storeSubscribe(operations) { store, subscriptions in
        CountedWork.kept.withLock { $0.append((store, subscriptions)) }
      }
    }
  }
}
