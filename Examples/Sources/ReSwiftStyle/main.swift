import Middleware
import Store

let store = Store(
  initialState: TodosState(), reducer: Reducer(wrapping: todosReducer),
  middleware: [Middleware(wrapping: thunks)])

let list = ListScreen()
list.appear(showing: store)

do {
  let bar = TitleBar()
  bar.appear(showing: store)
  store.dispatch(TodoAction.added("mend the wheel"))
  store.dispatch(TodoAction.added("grind the corn"))
  store.dispatch(finishNext)
}

// The title bar is gone, and nobody had to unsubscribe it.
store.dispatch(TodoAction.filtered(doneOnly: true))

store.unsubscribe(list)
store.dispatch(finishNext)
print("all done:", store.state.todos.allSatisfy(\.isDone))
