import Store

// Two subscribers that the store holds weakly. They print; an app would draw.

/// Shows the todos.
final class ListScreen: Sendable {
  func appear(showing store: Store<TodosState>) {
    store.subscribe(self, \.shown) { screen, todos in screen.newState(state: todos) }
  }

  func newState(state todos: [Todo]) {
    print("list:", todos.map { "\($0.isDone ? "[x]" : "[ ]") \($0.title)" })
  }
}

/// Shows how many are left.
final class TitleBar: Sendable {
  func appear(showing store: Store<TodosState>) {
    store.subscribe(self, { $0.todos.count { !$0.isDone } }) { bar, left in
      bar.newState(state: left)
    }
  }

  func newState(state left: Int) { print("left:", left) }
}
