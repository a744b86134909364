import Store
import TestSupport
import Testing

/// What ReSwift's own tests ask of subscribing and unsubscribing.
@Suite(.timeLimit(.minutes(5)))
struct ReSwiftSubscriptionTests {
  @Test func `S19: a store does not keep its subscribers`() {
    let store = makeReSwiftStore()
    var subscriber: Subscriber<Int?>? = Subscriber()
    weak let observed = subscriber
    if let subscriber { store.subscribe(subscriber, \.value) { $0.newState(state: $1) } }

    subscriber = nil

    #expect(observed == nil)
  }

  @Test func `S19: subscribers that are gone disturb no other`() {
    // Given
    let store = makeReSwiftStore()
    let staying = Subscriber<Int?>()
    do {
      let leaving = Subscriber<Int?>()
      store.subscribe(leaving, \.value) { $0.newState(state: $1) }
    }
    store.subscribe(staying, \.value) { $0.newState(state: $1) }

    // When
    store.dispatch(SetValue(value: 3))

    // Then
    #expect(staying.values == [nil, 3])
  }

  @Test func `S19: a second subscription of one object replaces the first after an unsubscribe`() {
    let store = makeReSwiftStore()
    let subscriber = Subscriber<Int?>()
    store.subscribe(subscriber, \.value) { $0.newState(state: $1) }
    store.unsubscribe(subscriber)
    store.subscribe(subscriber, \.value) { $0.newState(state: $1) }

    store.dispatch(SetValue(value: 3))

    #expect(subscriber.values == [nil, nil, 3])
  }

  @Test func `S19: without an unsubscribe one object has two subscriptions`() {
    let store = makeReSwiftStore()
    let subscriber = Subscriber<String>()
    store.subscribe(subscriber, \.name) { $0.newState(state: $1) }
    store.subscribe(subscriber, \.age) { $0.newState(state: "\($1)") }

    store.dispatch(SetName(name: "A"))
    store.dispatch(SetAge(age: 30))

    #expect(subscriber.values == ["Initial", "29", "A", "30"])
  }

  @Test func `S19: a subscriber is told the value that is there when it subscribes`() {
    let store = makeReSwiftStore()
    let subscriber = Subscriber<Int?>()
    store.dispatch(SetValue(value: 3))

    store.subscribe(subscriber, \.value) { $0.newState(state: $1) }

    #expect(subscriber.values == [3])
  }

  @Test func `S19: a subscriber is told each new value`() {
    let store = makeReSwiftStore()
    let subscriber = Subscriber<Int?>()
    store.subscribe(subscriber, \.value) { $0.newState(state: $1) }

    store.dispatch(SetValue(value: 3))
    store.dispatch(SetValue(value: 4))

    #expect(subscriber.values == [nil, 3, 4])
  }

  @Test func `S19: one that subscribes late is told the current value only`() {
    let store = makeReSwiftStore()
    let (early, late) = (Subscriber<Int?>(), Subscriber<Int?>())
    store.subscribe(early, \.value) { $0.newState(state: $1) }
    store.dispatch(SetValue(value: 3))

    store.subscribe(late, \.value) { $0.newState(state: $1) }

    #expect(early.values == [nil, 3])
    #expect(late.values == [3])
  }

  @Test func `S19: a subscriber may dispatch`() {
    let store = makeReSwiftStore(ReSwiftState(value: 0))
    let subscriber = Subscriber<Int?>()
    store.subscribe(subscriber, \.value) { [unowned store] subscriber, value in
      subscriber.newState(state: value)
      if let value, value < 5 { store.dispatch(SetValue(value: value + 1)) }
    }

    #expect(store.state.value == 5)
    #expect(subscriber.values == [0, 1, 2, 3, 4, 5])
  }

  @Test func `S19: who unsubscribed is told nothing, and the current value on subscribing again`() {
    let store = makeReSwiftStore()
    let subscriber = Subscriber<Int?>()
    store.subscribe(subscriber, \.value) { $0.newState(state: $1) }
    store.dispatch(SetValue(value: 1))

    store.unsubscribe(subscriber)
    store.dispatch(SetValue(value: 2))
    store.dispatch(SetValue(value: 3))
    store.subscribe(subscriber, \.value) { $0.newState(state: $1) }

    #expect(subscriber.values == [nil, 1, 3])
  }

  @Test func `S19: one who subscribes while values are told is not lost`() {
    // Given a subscriber that subscribes another and dispatches, in the middle of a pass
    let store = makeReSwiftStore()
    let (first, second) = (Subscriber<Int?>(), Subscriber<Int?>())
    store.subscribe(first, \.value, initial: false) { [unowned store] _, value in
      guard value == 1 else { return }
      store.subscribe(second, \.value) { $0.newState(state: $1) }
      store.dispatch(SetValue(value: 2))
    }

    // When
    store.dispatch(SetValue(value: 1))
    store.dispatch(SetValue(value: 3))

    // Then
    #expect(second.values == [1, 2, 3])
  }

  @Test(arguments: ["whole state", "selection"])
  func `S19: what a subscription holds is freed when the object unsubscribes`(kind: String) {
    // Given
    let store = makeReSwiftStore()
    let subscriber = Subscriber<Int?>()
    let freed = Recorder<String>()
    do {
      let probe = DeinitProbe { freed.record("freed") }
      if kind == "selection" {
        store.subscribe(subscriber, \.value) { subscriber, value in
          _ = probe
          subscriber.newState(state: value)
        }
      } else {
        store.subscribe(subscriber, \.self) { subscriber, state in
          _ = probe
          subscriber.newState(state: state.value)
        }
      }
    }
    store.dispatch(SetValue(value: 1))
    #expect(freed.values == [])

    // When
    store.unsubscribe(subscriber)

    // Then
    #expect(freed.values == ["freed"])
  }
}
