import Store
import TestSupport
import Testing

/// What ReSwift's own tests ask of `select`, `skipRepeats`, `skip` and `only`, each asked by a
/// closure and by a key path.
@Suite(.timeLimit(.minutes(5)))
struct ReSwiftSelectionTests {
  typealias Select<Value> = @Sendable (ReSwiftState) -> Value

  enum Way: CaseIterable { case closure, keyPath }

  private static func value(_ way: Way) -> Select<Int?> {
    switch way {
    case .closure: { $0.value }
    case .keyPath: \.value
    }
  }

  private static func name(_ way: Way) -> Select<String> {
    switch way {
    case .closure: { $0.name }
    case .keyPath: \.name
    }
  }

  private static func part(_ way: Way) -> Select<ReSwiftState.Part> {
    switch way {
    case .closure: { $0.part }
    case .keyPath: \.part
    }
  }

  @Test(arguments: Way.allCases)
  func `S19: an optional part can be selected, and nil is told`(way: Way) {
    let store = makeReSwiftStore()
    let subscriber = Subscriber<Int?>()
    store.subscribe(subscriber, Self.value(way)) { $0.newState(state: $1) }

    store.dispatch(SetValue(value: 3))
    store.dispatch(SetValue(value: nil))

    #expect(subscriber.values == [nil, 3, nil])
  }

  @Test func `S19: several parts can be selected as a tuple`() {
    let store = makeReSwiftStore()
    let told = Recorder<String>()
    let subscription = store.subscribe({ ($0.value, $0.name) }, by: { $0 == $1 }) { value, name in
      told.record("\(value ?? 0) \(name)")
    }

    store.dispatch(SetValue(value: 5))
    store.dispatch(SetName(name: "A"))
    store.dispatch(SetAge(age: 30))

    #expect(told.values == ["0 Initial", "5 Initial", "5 A"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: an unchanged part is not told, by a comparison of one's own`(way: Way) {
    let told = Recorder<Int?>()
    let store = makeReSwiftStore(ReSwiftState(value: 3))
    let subscription = store.subscribe(Self.value(way), by: { $0 == $1 }) { told.record($0) }

    store.dispatch(SetValue(value: 3))

    #expect(told.values == [3])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: an unchanged part that is Equatable is not told`(way: Way) {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.name(way)) { told.record($0) }

    store.dispatch(SetName(name: "Initial"))

    #expect(told.values == ["Initial"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: a part that is not Equatable is compared as its subscriber says`(way: Way) {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.part(way), by: { $0.text == $1.text }) {
      told.record($0.text)
    }

    store.dispatch(SetPart(part: ReSwiftState.Part(text: "Initial", age: 1)))
    store.dispatch(SetPart(part: ReSwiftState.Part(text: "A")))

    #expect(told.values == ["Initial", "A"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: repeats of a part that is not Equatable are told on request`(way: Way) {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.part(way), by: { _, _ in false }) {
      told.record($0.text)
    }

    store.dispatch(SetPart(part: ReSwiftState.Part()))

    #expect(told.values == ["Initial", "Initial"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: repeats of an Equatable part are told on request`(way: Way) {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.name(way), by: { _, _ in false }) { told.record($0) }

    store.dispatch(SetName(name: "Initial"))

    #expect(told.values == ["Initial", "Initial"])
    subscription.cancel()
  }

  @Test func `S19: an unchanged state that is Equatable is not told`() {
    let subscriber = Subscriber<ReSwiftState>()
    let store = makeReSwiftStore()
    store.subscribe(subscriber, \.self) { $0.newState(state: $1) }

    store.dispatch(SetName(name: "Initial"))

    #expect(subscriber.values == [ReSwiftState()])
  }

  @Test(arguments: Way.allCases)
  func `S19: an unchanged Equatable part of a part that is not is not told`(way: Way) {
    let text: Select<String> =
      switch way {
      case .closure: { $0.part.text }
      case .keyPath: \.part.text
      }
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(text) { told.record($0) }

    store.dispatch(SetPart(part: ReSwiftState.Part(text: "Initial", age: 1)))

    #expect(told.values == ["Initial"])
    subscription.cancel()
  }

  @Test func `S19: a function over stores of any state subscribes the same way`() {
    func names<State>(
      of store: Store<State>, at keyPath: any KeyPath<State, String> & Sendable
    ) -> (StoreSubscription, Recorder<String>) {
      let told = Recorder<String>()
      return (store.subscribe({ $0[keyPath: keyPath] }) { told.record($0) }, told)
    }
    let store = makeReSwiftStore()
    let (subscription, told) = names(of: store, at: \.part.text)

    store.dispatch(SetPart(part: ReSwiftState.Part(text: "Initial", age: 1)))

    #expect(told.values == ["Initial"])
    subscription.cancel()
  }

  @Test func `S19: repeats of the whole state are told on request`() {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe { told.record($0.name) }

    store.dispatch(SetName(name: "Initial"))

    #expect(told.values == ["Initial", "Initial"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: values are skipped when a predicate of the old and the new one says so`(way: Way) {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.part(way), by: { $0.text == $1.text }) {
      told.record($0.text)
    }

    store.dispatch(SetPart(part: ReSwiftState.Part(text: "Initial", age: 5)))

    #expect(told.values == ["Initial"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: values are told only when a predicate of the old and the new one says so`(way: Way) {
    @Sendable func isNews(_ old: ReSwiftState.Part, _ new: ReSwiftState.Part) -> Bool {
      old.text != new.text
    }
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.part(way), by: { !isNews($0, $1) }) {
      told.record($0.text)
    }

    store.dispatch(SetPart(part: ReSwiftState.Part(text: "Initial", age: 5)))
    store.dispatch(SetPart(part: ReSwiftState.Part(text: "A")))

    #expect(told.values == ["Initial", "A"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: subscribing tells a selection once`(way: Way) {
    let told = Recorder<String>()
    let subscription = makeReSwiftStore().subscribe(Self.name(way)) { told.record($0) }
    #expect(told.values == ["Initial"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: a change elsewhere is not told, with a comparison of one's own`(way: Way) {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.name(way), by: ==) { told.record($0) }

    store.dispatch(SetAge(age: 30))

    #expect(told.values == ["Initial"])
    subscription.cancel()
  }

  @Test(arguments: Way.allCases)
  func `S19: a change elsewhere is not told, without one`(way: Way) {
    let told = Recorder<String>()
    let store = makeReSwiftStore()
    let subscription = store.subscribe(Self.name(way)) { told.record($0) }

    store.dispatch(SetAge(age: 30))

    #expect(told.values == ["Initial"])
    subscription.cancel()
  }
}
