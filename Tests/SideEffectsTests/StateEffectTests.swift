import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StateEffectTests {
  private func makeStore(
    _ items: StateItem<Journal>...,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = { Issue.record("unexpected: \($0)") }
  ) -> Store<Journal> {
    Store(
      initialState: Journal(), reducer: journalReducer,
      middleware: [createMiddleware(items: items)], diagnostics: diagnostics)
  }

  @Test func `E20: a body may hand its state reader to a child task`() async {
    let store = makeStore(
      .effect(on: Begin.self, reading: \.begun) { _, effect, begun in
        async let count = begun()?.count
        effect.dispatch(Answer(id: await count ?? -1))
      })
    await store.dispatch(Begin()).finish()
    #expect(store.state.answers == [1])
  }

  @Test func `E29: an effect that reads the state starts only for its payload, by key and policy`()
    async
  {
    let gate = Gate()
    let store = makeStore(
      .effect(
        on: Begin.self, for: { $0.id > 0 ? $0.id : nil }, reading: \.begun.count,
        key: { $0 % 2 }, .latest
      ) { id, effect, count in
        await gate.wait()
        effect.dispatch(Answer(id: id * 100 + (count() ?? -1)))
      },
      diagnostics: { _ in })
    for id in 0...4 { store.dispatch(Begin(id: id)) }
    gate.open()
    await store.idle()
    #expect(store.state.answers.sorted() == [305, 405])
  }

  @Test func `E20: items with and without state fit into one list`() async {
    let store = makeStore(
      StateItem(.effect(on: Begin.self) { _, effect in _ = effect.dispatch(Answer(id: 1)) }),
      .effect(on: Begin.self, reading: \.answers) { _, effect, answers in
        effect.dispatch(Answer(id: 1 + (answers()?.count ?? -1)))
      })
    await store.dispatch(Begin()).finish()
    #expect(store.state.answers == [1, 2])
  }
}
