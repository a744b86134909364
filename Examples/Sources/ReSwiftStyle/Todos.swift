import Store

/// What the app knows: the same structure that it would be in ReSwift.
struct TodosState: Equatable {
  var todos: [Todo] = []
  var showsDoneOnly = false

  var shown: [Todo] { showsDoneOnly ? todos.filter(\.isDone) : todos }
}

struct Todo: Equatable {
  var title: String
  var isDone = false
}

enum TodoAction: Action, Equatable {
  case added(String)
  case done(Int)
  case filtered(doneOnly: Bool)
}

/// A reducer as ReSwift has it: the action first, then a state that may be nil.
@Sendable func todosReducer(action: any Action, state: TodosState?) -> TodosState {
  var state = state ?? TodosState()
  switch action as? TodoAction {
  case .added(let title): state.todos.append(Todo(title: title))
  case .done(let index) where state.todos.indices.contains(index):
    state.todos[index].isDone = true
  case .filtered(let doneOnly): state.showsDoneOnly = doneOnly
  case .done, nil: break
  }
  return state
}
