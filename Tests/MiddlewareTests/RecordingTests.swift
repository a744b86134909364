import Middleware
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RecordingTests {
  @Test func `M5: a recording has the identity, action, result and duration of each dispatch`() {
    // Given
    let recorder = DispatchRecorder()
    let store = makeJournal(middleware: [
      .recording(clock: SteppingClock(step: .milliseconds(3)), recorder.record),
      Middleware { action, _, next in action is Unheard ? .swallowed : next(action) },
    ])

    // When
    let line: UInt = #line + 1
    store.dispatch(Note("A"))
    store.dispatch(Unheard())
    store.dispatch(Increment())

    // Then
    let dispatches = recorder.dispatches
    #expect(dispatches.map(\.identity.number) == [1, 2, 3])
    #expect(dispatches.map(\.identity.source.line) == [line, line + 1, line + 2])
    #expect(dispatches.map { label($0.action) } == ["A", "Unheard", "Increment"])
    #expect(
      dispatches.map(\.result) == [.reduced(commit: 1), .swallowed, .reduced(commit: 2)])
    #expect(dispatches.map(\.duration) == Array(repeating: .milliseconds(3), count: 3))
    #expect(store.state == Journal(count: 1, notes: ["A"]))
  }

  @Test func `M5: a recording link sees what the links before it made of an action`() {
    let (outer, inner) = (DispatchRecorder(), DispatchRecorder())
    let store = makeJournal(middleware: [
      .recording(outer.record),
      .map { action in (action as? Note).map { Note($0.text + "!") } ?? action },
      .recording(inner.record),
    ])

    store.dispatch(Note("A"))

    #expect(outer.dispatches.map { label($0.action) } == ["A"])
    #expect(inner.dispatches.map { label($0.action) } == ["A!"])
  }

  @Test func `M5: what was dispatched while another action was handled is recorded before that`() {
    let recorder = DispatchRecorder()
    let store = makeJournal(middleware: [
      .recording(recorder.record),
      Middleware { action, context, next in
        if action is Increment { context.dispatch(Note("nested")) }
        return next(action)
      },
    ])

    store.dispatch(Increment())

    #expect(recorder.dispatches.map(\.identity.cause) == [.dispatch(1), .caller])
  }

  @Test func `M5: a recording closure may dispatch`() {
    let itself = Box<Store<Journal>?>(nil)
    let store = makeJournal(middleware: [
      .recording { if $0.action is Increment { itself.value?.dispatch(Note("slow")) } }
    ])
    itself.value = store

    store.dispatch(Increment())

    #expect(store.state == Journal(count: 1, notes: ["slow"]))
    itself.value = nil
  }

  @Test func `M5: dispatches of four threads are all recorded, each with its own commit`() async {
    let recorder = DispatchRecorder()
    let store = makeJournal(middleware: [.recording(recorder.record)])

    await runOnThreads(4) { thread in
      for number in 0..<500 { store.dispatch(Note("\(thread)/\(number)")) }
    }

    // In the order of their commits the recorded actions are those of the state.
    let ordered = recorder.dispatches.sorted { commit(of: $0) < commit(of: $1) }
    #expect(ordered.map { label($0.action) } == store.state.notes)
    #expect(Set(recorder.dispatches.map(\.identity.number)) == Set(1...2_000))
  }

  @Test func `M5: a recorder does not keep the store, nor the store's end the records`() {
    let recorder = DispatchRecorder()
    var store: Store<Journal>? = makeJournal(middleware: [.recording(recorder.record)])
    weak let observed = store
    store?.dispatch(Increment())

    store = nil

    #expect(observed == nil)
    #expect(recorder.dispatches.count == 1)
  }

  private func commit(of dispatch: RecordedDispatch) -> UInt64 {
    if case .reduced(let commit) = dispatch.result { commit } else { 0 }
  }
}
