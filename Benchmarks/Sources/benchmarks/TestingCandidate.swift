import Middleware
import SideEffects
import Store
import StoreTesting

private struct Ask: Action, Equatable {}

private struct Answer: Action, Equatable {
  var number: Int
}

private struct Dialogue: Equatable {
  var questions = 0
  var answer = 0
}

private let dialogueReducer = Reducer<Dialogue>.combine(
  .on(Ask.self) { dialogue, _ in dialogue.questions += 1 },
  .on(Answer.self) { dialogue, action in dialogue.answer = action.number })

private actor Service {
  private var count = 0
  func next() -> Int {
    count += 1
    return count
  }
}

/// A `send` that starts an effect, which asks an actor, and the `receive` of what it sends.
@Sendable
func testStoreStep(_ operations: Int) async throws -> Double {
  let service = Service()
  let effect = MiddlewareItem.effect(on: Ask.self) { _, effect in
    effect.dispatch(Answer(number: await service.next()))
  }
  let store = TestStore(
    initialState: Dialogue(), reducer: dialogueReducer,
    middleware: [createMiddleware(items: [effect])])
  let time = await nanoseconds(for: operations) {
    for number in 1...operations {
      await store.send(Ask()) { $0.questions += 1 }
      await store.receive(Answer(number: number)) { $0.answer = number }
    }
  }
  await store.finish()
  try expect(store.state, equals: Dialogue(questions: operations, answer: operations))
  return time
}
