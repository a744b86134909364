import Store
import TestSupport
import Testing

/// Calls into the store from code that runs while it is locked.
@Suite(.timeLimit(.minutes(5)))
struct DiagnosticTests {
  /// Code of the user's that the store runs while it is locked.
  enum Place: CaseIterable { case reducer, selector, reading, equality, releasedState }
  /// What that code must not do.
  enum Call: String, CaseIterable { case dispatch, subscribe, cancel, state, next }

  @Test(arguments: Place.allCases, Call.allCases)
  func `S8: a call from inside the critical section is diagnosed, and the store goes on`(
    place: Place, call: Call
  ) {
    // Given a store in whose `place` somebody makes the call, once
    let reports = Recorder<String>()
    let fixture = Fixture(diagnostics: { reports.record("\($0)") })
    let told = Recorder<Int>()
    let subscription = fixture.store.subscribe(\.count, initial: false) { told.record($0) }
    fixture.arm(place) { fixture.make(call) }

    // When
    fixture.store.dispatch(Provoke())

    // Then the action itself is reduced and told, and nothing else happened
    #expect(
      reports.values == [
        """
        `\(call)` was called on a store from one of its own reducers, selectors or `==` functions, \
        which run while the store is locked; the call was ignored. Reducers are pure: to send another \
        action, do it in an effect or a middleware item that handles this one; to read another part \
        of the state, scope the reducer wider.
        """
      ])
    #expect(fixture.store.state.count == 1)
    #expect(told.values == [1])

    // and the store goes on working, for this thread and for others
    fixture.store.dispatch(Provoke())
    #expect(fixture.store.state.count == 2)
    #expect(told.values == [1, 2])
    #expect(reports.count == 1)
    fixture.release()
    subscription.cancel()
  }

  @Test func `S8: a selector that calls the store while it is subscribed is diagnosed`() {
    let reports = Recorder<String>()
    let store = makeJournal(diagnostics: { reports.record("\($0)") })

    let subscription = store.subscribe({ journal in
      store.dispatch(Increment())
      return journal.notes
    }) { _ in }

    #expect(reports.count == 1)
    #expect(store.state.count == 0)
    subscription.cancel()
  }

  @Test func `S8: the value last selected may call the store when its observer is cancelled`() {
    // Given an observer that remembers a value which calls the store when it is released
    struct Selected: Equatable, Sendable {
      let probe: DeinitProbe
      static func == (first: Selected, second: Selected) -> Bool { true }
    }
    let reports = Recorder<String>()
    let store = makeJournal(diagnostics: { reports.record("\($0)") })
    let subscription = store.subscribe(
      { _ in Selected(probe: DeinitProbe { store.dispatch(Increment()) }) }, initial: false
    ) { _ in }
    #expect(reports.count == 0)

    // When
    subscription.cancel()

    // Then
    #expect(reports.count == 0)
    #expect(store.state.count == 1)
  }

  @Test func `S8: a handler that calls the store back is not told again, and nothing deadlocks`() {
    let reports = Recorder<String>()
    let itself = Box<Fixture?>(nil)
    let fixture = Fixture(diagnostics: { diagnostic in
      reports.record("\(diagnostic)")
      itself.value?.store.dispatch(Provoke())
    })
    itself.value = fixture
    fixture.arm(.reducer) { fixture.make(.dispatch) }

    fixture.store.dispatch(Provoke())

    #expect(reports.count == 1)
    #expect(fixture.store.state.count == 1)
    itself.value = nil
    fixture.release()
  }

  @Test func `S8: each call is diagnosed, not only the first one`() {
    let reports = Recorder<String>()
    let fixture = Fixture(diagnostics: { reports.record("\($0)") })
    for number in 1...3 {
      fixture.arm(.reducer) { fixture.make(.dispatch) }
      fixture.store.dispatch(Provoke())
      #expect(reports.count == number)
    }
    fixture.release()
  }

  @Test func `S8: a reducer may use another store, and other threads this one meanwhile`() async {
    // Given
    let reports = Recorder<String>()
    let other = makeJournal()
    let (entered, mayLeave) = (ThreadGate(), ThreadGate())
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int>.on(Increment.self) { count, _ in
        other.dispatch(Increment())
        count += other.state.count
        if count == 1 {
          entered.open()
          #expect(mayLeave.wait())
        }
      }, diagnostics: { reports.record("\($0)") })

    // When another thread dispatches while the reducer runs
    async let first: Void = runOnThread {
      store.dispatch(Increment())
      return ()
    }
    #expect(await runOnThread { entered.wait() })
    async let second: Void = runOnThread {
      mayLeave.open()
      store.dispatch(Increment())
      return ()
    }
    _ = await (first, second)

    // Then it has waited, and nobody complained
    #expect(store.state == 3)
    #expect(reports.values == [])
  }

  @Test func `S8: reading the state in a reducer stops the program with the reason`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let itself = Box<Store<Int>?>(nil)
      let store = Store(
        initialState: 0,
        reducer: Reducer<Int>.on(Increment.self) { count, _ in count = itself.value?.state ?? 0 })
      itself.value = store
      store.dispatch(Increment())
    }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self).contains(
        "Millrace: `state` was called on a store from one of its own reducers"))
  }

  #if DEBUG
    @Test func `S8: by default a debug build stops where the mistake is made`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let itself = Box<Store<Int>?>(nil)
        let store = Store(
          initialState: 0,
          reducer: Reducer<Int>.on(Increment.self) { _, _ in itself.value?.dispatch(Unheard()) })
        itself.value = store
        store.dispatch(Increment())
      }
      #expect(
        String(decoding: result.standardErrorContent, as: UTF8.self).contains(
          "Millrace: `dispatch` was called on a store from one of its own reducers"))
    }
  #else
    @Test func `S8: by default a release build reports and goes on`() async throws {
      let result = try await #require(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        let itself = Box<Store<Int>?>(nil)
        let store = Store(
          initialState: 0,
          reducer: Reducer<Int>.on(Increment.self) { count, _ in
            itself.value?.dispatch(Unheard())
            count += 1
          })
        itself.value = store
        store.dispatch(Increment())
        guard store.state == 1 else { fatalError("the action was lost") }
      }
      #expect(
        String(decoding: result.standardErrorContent, as: UTF8.self).contains(
          "Millrace: `dispatch` was called on a store from one of its own reducers"))
    }
  #endif

  @Test func `S8: what matters is ranked`() {
    #expect(Diagnostic.callDuringReduction(call: "dispatch").severity == .programmingError)
    #expect(Diagnostic.Severity.notice < .warning)
    #expect(Diagnostic.Severity.warning < .programmingError)
  }
}

extension DiagnosticTests {
  struct Provoke: Action {}

  struct Provoked: Sendable {
    var count = 0
    var nosy = Nosy()
    var held: DeinitProbe?
  }

  /// A value whose `==` runs code of the user's.
  struct Nosy: Equatable, Sendable {
    var value = 0
    var onCompare: @Sendable () -> Void = {}

    static func == (first: Nosy, second: Nosy) -> Bool {
      second.onCompare()
      return first.value == second.value
    }
  }

  /// A store with a hook in each place where it runs code of the user's while it is locked.
  final class Fixture: Sendable {
    private let armed = Box<(place: Place, run: @Sendable () -> Void)?>(nil)
    /// What a link was given, and keeps too long.
    private let kept = Box<(Next<Provoked>, LinkContext<Provoked>)?>(nil)
    private let subscriptions = Box<[StoreSubscription]>([])
    let store: Store<Provoked>

    init(diagnostics: @escaping @Sendable (Diagnostic) -> Void) {
      let (armed, kept) = (armed, kept)
      let run: @Sendable (Place) -> Void = { place in
        guard armed.value?.place == place else { return }
        armed.exchange(nil)?.run()
      }
      store = Store(
        initialState: Provoked(
          nosy: Nosy(onCompare: { run(.equality) }), held: DeinitProbe { run(.releasedState) }),
        reducer: .on(Provoke.self) { state, _ in
          run(.reducer)
          state.held = DeinitProbe { run(.releasedState) }
          state.count += 1
          state.nosy.value += 1
        },
        middleware: [
          Middleware { action, context, next in
            if kept.value == nil { kept.value = (next, context) }
            return next(action, reading: { _ in run(.reading) }).result
          }
        ], diagnostics: diagnostics)
      store.dispatch(Unheard())
      subscriptions.value = [
        store.subscribe(
          { state in
            run(.selector)
            return state.count
          }, initial: false
        ) { _ in },
        store.subscribe(\.nosy, initial: false) { _ in },
        store.subscribe(\.count, initial: false) { _ in },
      ]
    }

    /// Has `body` run the next time the store is in `place`.
    func arm(_ place: Place, _ body: @escaping @Sendable () -> Void) { armed.value = (place, body) }

    func make(_ call: Call) {
      switch call {
      case .dispatch: store.dispatch(Provoke())
      case .subscribe: subscriptions.value.append(store.subscribe(\.count) { _ in })
      case .cancel: subscriptions.value.last?.cancel()
      case .state: #expect(kept.value?.1.state == nil)
      case .next: #expect(kept.value?.0(Provoke()) == .swallowed)
      }
    }

    func release() {
      armed.exchange(nil)
      kept.exchange(nil)
      subscriptions.exchange([])
    }
  }
}
