import Store
import TestSupport
import Testing

/// What ReSwift's own tests ask of a store and of dispatching.
@Suite(.timeLimit(.minutes(5)))
struct ReSwiftBehaviourTests {
  @Test func `S19: a store that nobody refers to is freed`() {
    // Given a store that has worked
    var store: Store<ReSwiftState>? = makeReSwiftStore()
    weak let observed = store
    let subscriber = Subscriber<Int?>()
    store?.subscribe(subscriber, \.value) { $0.newState(state: $1) }
    store?.dispatch(SetValue(value: 3))

    // When
    store = nil

    // Then
    #expect(observed == nil)
    #expect(subscriber.values == [nil, 3])
  }

  @Test func `S19: a reducer is given the initial state, and no action comes before the first`() {
    let actions = Recorder<String>()
    let store = Store(
      initialState: ReSwiftState(value: 1),
      reducer: Reducer<ReSwiftState>(wrapping: { action, state in
        actions.record("\(type(of: action)) \(state?.value ?? -1)")
        return reSwiftReducer(action: action, state: state)
      }))

    store.dispatch(SetValue(value: 2))

    #expect(actions.values == ["SetValue 1"])
  }

  @Test func `S19: dispatching in a reducer is a mistake that is told, and sends nothing`() {
    let itself = Box<Store<ReSwiftState>?>(nil)
    let told = Recorder<Diagnostic>()
    let store = Store(
      initialState: ReSwiftState(),
      reducer: Reducer<ReSwiftState>(wrapping: { action, state in
        itself.value?.dispatch(SetValue(value: 9))
        return reSwiftReducer(action: action, state: state)
      }), diagnostics: told.record)
    itself.value = store

    store.dispatch(SetName(name: "A"))

    #expect(store.state == ReSwiftState(name: "A"))
    #expect(told.values.map(\.severity) == [.programmingError])
    itself.value = nil
  }

  @Test func `S19: an action is made of the current state by a plain function`() {
    func double(_ state: ReSwiftState) -> SetValue { SetValue(value: (state.value ?? 0) * 2) }
    let store = makeReSwiftStore(ReSwiftState(value: 5))

    store.dispatch(double(store.state))

    #expect(store.state.value == 10)
  }
}
