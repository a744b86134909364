import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EffectPolicyTests {
  /// Pages of a list, of which each asks for the next.
  private struct Page: Action {
    var number: Int
  }

  @Test func `E9: the latest run begins after the one before it was ended`() async {
    let order = Recorder<String>()
    let store = makeStore(
      .effect(on: Begin.self, .latest) { action, _ in
        await withTaskCancellationHandler {
          order.record("began \(action.id)")
          await Gate().wait()
        } onCancel: {
          order.record("cancelled \(action.id)")
        }
      })
    for id in 1...3 { store.dispatch(Begin(id: id)) }
    #expect(order.values == ["began 1", "cancelled 1", "began 2", "cancelled 2", "began 3"])
    store.cancelEffects(.all)
    await store.idle()
    #expect(order.values.last == "cancelled 3")
  }

  @Test func `E9: a replaced run is silent from the commit of the action that replaces it`() async {
    // Given a run, and a busy thread that will start the next one later
    let contexts = Recorder<EffectContext>()
    let diagnostics = Recorder<Diagnostic>()
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self, .latest) { _, effect in
        contexts.record(effect)
        if contexts.count == 1 { await Gate().wait() }
      },
      diagnostics: { diagnostics.record($0) })
    store.dispatch(Begin())
    let drain = await HeldDrain.begin(on: store)
    // When the action has come again
    store.dispatch(Begin())
    // Then the old run has no say any more, although the new one has not begun
    #expect(contexts.count == 1)
    contexts.values[0].dispatch(Answer())
    #expect(store.state.answers.isEmpty)
    await drain.finish()
    #expect(contexts.count == 2)
    await store.idle()
    #expect(diagnostics.count == 1)
  }

  @Test func `E9: of runs that were replaced before their turn, only the last begins`() async {
    let began = Recorder<Int>()
    let store = makeStore(
      HeldDrain.item,
      .effect(on: Begin.self, .latest) { action, _ in began.record(action.id) })
    let drain = await HeldDrain.begin(on: store)
    for id in 1...5 { store.dispatch(Begin(id: id)) }
    await drain.finish()
    #expect(began.values == [5])
    await store.idle()
  }

  @Test func `E9: a chain of pages, each restarting its own key, runs to the last page`() async {
    let store = makeStore(
      .effect(on: Page.self, .latest) { page, effect in
        await Task.yield()
        effect.dispatch(Answer(id: page.number))
        if page.number < 50 { effect.dispatch(Page(number: page.number + 1)) }
      })
    await store.dispatch(Page(number: 1)).finish()
    await store.idle()
    #expect(store.state.answers == Array(1...50))
  }

  @Test func `E9: what a run sends after it has restarted its own key is dropped`() async {
    let diagnostics = Recorder<Diagnostic>()
    let store = makeStore(
      .effect(on: Page.self, .latest, name: "pages") { page, effect in
        effect.dispatch(Answer(id: page.number))
        guard page.number < 3 else { return }
        effect.dispatch(Page(number: page.number + 1))
        effect.dispatch(Answer(id: -page.number))
        await Task.yield()
        effect.dispatch(Answer(id: -page.number))
      },
      diagnostics: { diagnostics.record($0) })
    await store.dispatch(Page(number: 1)).finish()
    await store.idle()
    #expect(store.state.answers == [1, 2, 3])
    #expect(diagnostics.count == 4)
  }

  @Test func `E9: latest leaves alone the effects that the replaced run had started`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, .latest, name: "parent") { action, effect in
        effect.dispatch(Page(number: action.id))
        await Gate().wait()
      },
      .effect(on: Page.self, name: "child") { page, effect in
        await gate.wait()
        effect.dispatch(Answer(id: page.number))
      })
    let handles = [1, 2].map { store.dispatch(Begin(id: $0)) }
    gate.open()
    await handles[0].finish()
    #expect(store.state.answers.contains(1))
    store.cancelEffects(.named("parent"))
    await store.idle()
    #expect(store.state.answers.sorted() == [1, 2])
  }

  @Test func `E9: the latest run never cancels itself`() async {
    let store = makeStore(
      .effect(on: Begin.self, .latest) { action, effect in
        #expect(!effect.isCancelled)
        #expect(!Task.isCancelled)
        effect.dispatch(Answer(id: action.id))
        if action.id < 3 { await Gate().wait() }
        #expect(effect.isCancelled == (action.id < 3))
      })
    for id in 1...3 { store.dispatch(Begin(id: id)) }
    await store.idle()
    #expect(store.state.answers == [1, 2, 3])
  }

  @Test func `E12: under every, each action has a run of its own, and they overlap`() async {
    let began = Recorder<Int>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self) { action, effect in
        began.record(action.id)
        await gate.wait()
        effect.dispatch(Answer(id: action.id))
      })
    for id in 1...10 { store.dispatch(Begin(id: id)) }
    #expect(began.values == Array(1...10))
    #expect(store.state.answers.isEmpty)
    gate.open()
    await store.idle()
    #expect(store.state.answers.sorted() == Array(1...10))
  }

  @Test func `E12: the end of one run leaves others of its key to be cancelled`() async {
    let gates = [Gate(), Gate()]
    let waited = Recorder<Bool>()
    let store = makeStore(
      .effect(on: Begin.self, name: "work") { action, _ in
        waited.record(await gates[action.id].wait())
      })
    let handles = gates.indices.map { store.dispatch(Begin(id: $0)) }
    gates[0].open()
    await handles[0].finish()
    store.cancelEffects(.named("work"))
    await handles[1].finish()
    #expect(waited.values == [true, false])
  }

  @Test func `E13: under latest, only the last action's run delivers`() async {
    let gate = Gate()
    let diagnostics = Recorder<Diagnostic>()
    let store = makeStore(
      .effect(on: Begin.self, .latest) { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id))
      },
      diagnostics: { diagnostics.record($0) })
    for id in 1...3 { store.dispatch(Begin(id: id)) }
    gate.open()
    await store.idle()
    #expect(store.state.answers == [3])
  }

  @Test func `E13: latest is applied to each key by itself`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, key: { $0.id % 10 }, .latest) { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id))
      },
      diagnostics: { _ in })
    for id in 1...35 { store.dispatch(Begin(id: id)) }
    gate.open()
    await store.idle()
    #expect(store.state.answers.sorted() == Array(26...35))
  }

  @Test func `E13: latest is applied to each effect by itself`() async {
    let gate = Gate()
    func effect(_ offset: Int) -> MiddlewareItem {
      .effect(on: Begin.self, key: \.id, .latest) { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id + offset))
      }
    }
    // The two even share a name and a key.
    let store = makeStore(effect(10), effect(20))
    store.dispatch(Begin(id: 1))
    gate.open()
    await store.idle()
    #expect(store.state.answers.sorted() == [11, 21])
  }

  @Test func `E29: a case that does not match neither starts nor cancels anything`() async {
    enum Search: Action, Equatable {
      case text(String), clear
    }
    let began = Recorder<String>()
    let gate = Gate()
    let store = makeStore(
      .effect(on: Search.self, for: { if case .text(let text) = $0 { text } else { nil } }, .latest)
      { text, effect in
        began.record(text)
        await gate.wait()
        effect.dispatch(Answer(id: text.count))
      },
      .effect(on: Search.clear, .latest) { _ in began.record("cleared") })
    let handle = store.dispatch(Search.text("abc"))
    store.dispatch(Search.clear)
    store.dispatch(Search.clear)
    #expect(began.values == ["abc", "cleared", "cleared"])
    gate.open()
    await handle.finish()
    #expect(store.state.answers == [3])
  }

  @Test func `E30: keys come from the payload`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, for: { "\($0.id % 2)" }, key: { $0 }, .latest, name: "work") {
        text, effect in
        await gate.wait()
        effect.dispatch(Answer(id: text == "0" ? 0 : 1))
      },
      diagnostics: { _ in })
    let handles = (1...4).map { store.dispatch(Begin(id: $0)) }
    store.cancelEffects(.named("work", key: "1"))
    gate.open()
    for handle in handles { await handle.finish() }
    #expect(store.state.answers == [0])
  }

  @Test func `E30: an effect without a key has one, itself`() async {
    let gate = Gate()
    let store = makeStore(
      .effect(on: Begin.self, .latest, name: "first") { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id))
      },
      .effect(on: Begin.self, .latest, name: "second") { action, effect in
        await gate.wait()
        effect.dispatch(Answer(id: action.id * 10))
      },
      diagnostics: { _ in })
    for id in 1...2 { store.dispatch(Begin(id: id)) }
    gate.open()
    await store.idle()
    #expect(store.state.answers.sorted() == [2, 20])
  }
}
