import Middleware
import Store
import StoreTesting
import Testing

@testable import ReSwiftStyle

struct TodosTests {
  @Test func `a reducer is a function that a test calls`() {
    let state = todosReducer(action: TodoAction.added("mend"), state: nil)
    #expect(state.todos == [Todo(title: "mend")])
  }

  @Test func `a thunk marks the first todo that is left`() async {
    let store = TestStore(
      initialState: TodosState(todos: [Todo(title: "a", isDone: true), Todo(title: "b")]),
      reducer: Reducer(wrapping: todosReducer), middleware: [Middleware(wrapping: thunks)])

    await store.send(finishNext)
    await store.receive(TodoAction.done(1)) { $0.todos[1].isDone = true }
    await store.finish()
  }
}
