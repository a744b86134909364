import Store
import TestSupport
import Testing

/// Observers of different types in one store, which are kept in groups of one type.
@Suite(.timeLimit(.minutes(5)))
struct ObserverGroupTests {
  /// Subscribes in one of five ways that the store keeps apart.
  private static func subscribe(
    _ number: Int, to store: Store<Journal>, _ receive: @escaping @Sendable (Int) -> Void
  ) -> StoreSubscription {
    switch number % 5 {
    case 0: store.subscribe(\.count, initial: false) { _ in receive(number) }
    case 1: store.subscribe({ "\($0.count)" }, initial: false) { _ in receive(number) }
    case 2: store.subscribe(initial: false) { (_: Journal) in receive(number) }
    case 3: store.subscribe(changesOf: \.count, initial: false) { _ in receive(number) }
    default:
      store.subscribe({ Double($0.count) }, by: { $0 == $1 }, initial: false) { _ in
        receive(number)
      }
    }
  }

  /// How the kinds of observers follow each other.
  enum Mixture: CaseIterable {
    case alternating, runsOfTen

    func kind(of index: Int) -> Int {
      switch self {
      case .alternating: index
      case .runsOfTen: index / 10 + 5 * index
      }
    }
  }

  @Test(arguments: Mixture.allCases)
  func `S6: observers of different types are told in the order they subscribed`(mixture: Mixture) {
    let store = makeJournal()
    let order = Recorder<Int>()
    let kinds = (0..<100).map { mixture.kind(of: $0) }
    let subscriptions = kinds.map { Self.subscribe($0, to: store) { order.record($0) } }

    store.dispatch(Increment())

    #expect(order.values == kinds)
    subscriptions.forEach { $0.cancel() }
  }

  // Thirty-two may be gone before anything is moved; then the places of those that left are given up
  // when they are more than half.
  @Test(arguments: Mixture.allCases, [1, 31, 32, 33, 34, 50, 64, 65, 66, 67, 99, 100])
  func `S6: the order across types survives however many leave, and others come`(
    mixture: Mixture, leaving: Int
  ) {
    // Given a hundred observers of mixed types of whom some leave, from both ends and the middle
    let store = makeJournal()
    let order = Recorder<Int>()
    let kinds = (0..<100).map { mixture.kind(of: $0) }
    let subscriptions = kinds.map { Self.subscribe($0, to: store) { order.record($0) } }
    let gone = Set((0..<leaving).map { $0 * 37 % 100 })
    for index in gone { subscriptions[index].cancel() }

    // When as many come, and an action
    let newcomers = gone.map { 1_000 + $0 }
    let later = newcomers.map { Self.subscribe($0, to: store) { order.record($0) } }
    store.dispatch(Increment())

    // Then
    let staying = kinds.indices.filter { !gone.contains($0) }.map { kinds[$0] }
    #expect(order.values == staying + newcomers)

    // and the new ones can leave as well
    for subscription in later { subscription.cancel() }
    store.dispatch(Increment())
    #expect(order.values.dropFirst(100) == staying[...])
    subscriptions.forEach { $0.cancel() }
  }

  @Test(arguments: [31, 32, 33, 65, 66, 67, 200])
  func `S6: groups that lost all their members and were used again keep the order`(count: Int) {
    // Given groups of one, since each type follows another, of which all but the first and last leave
    let store = makeJournal()
    let order = Recorder<Int>()
    let receive = { @Sendable in order.record($0) }
    let first = Self.subscribe(0, to: store, receive)
    var leaving: [StoreSubscription] = []
    for number in 1...count { leaving.append(Self.subscribe(number, to: store, receive)) }

    // When the last group is emptied, used again, and others leave
    leaving.removeLast().cancel()
    let again = Self.subscribe(count, to: store, receive)
    leaving = []
    let last = Self.subscribe(count + 1, to: store, receive)
    store.dispatch(Increment())

    // Then
    #expect(order.values == [0, count, count + 1])
    again.cancel()
    store.dispatch(Increment())
    #expect(order.values.dropFirst(3) == [0, count + 1])
    first.cancel()
    last.cancel()
  }

  @Test func `S6: those that leave in the middle of a pass are not told, of whatever type`() {
    // Given a hundred observers of mixed types, of whom the first makes all odd ones leave
    let store = makeJournal()
    let order = Recorder<Int>()
    let tokens = Box<[StoreSubscription]>([])
    let first = store.subscribe(\.count, initial: false) { _ in
      for index in stride(from: 1, to: 100, by: 2) { tokens.value[index].cancel() }
    }
    tokens.value = (0..<100).map { Self.subscribe($0, to: store) { order.record($0) } }

    // When
    store.dispatch(Increment())
    store.dispatch(Increment())

    // Then
    let even = Array(stride(from: 0, to: 100, by: 2))
    #expect(order.values == even + even)
    first.cancel()
    tokens.exchange([])
  }

  @Test func `S6: what an observer held is freed when it leaves, of whatever type`() {
    let store = makeJournal()
    let freed = Recorder<Int>()
    var subscriptions = (0..<100).map { number in
      let probe = DeinitProbe { freed.record(number) }
      return Self.subscribe(number, to: store) { _ in _ = probe }
    }
    store.dispatch(Increment())
    #expect(freed.count == 0)

    for index in subscriptions.indices {
      subscriptions[index].cancel()
      #expect(freed.values.last == index)
    }

    subscriptions = []
    #expect(freed.values == Array(0..<100))
  }
}
