import Store
import TestSupport

/// A small app written for ReSwift: optional state in its reducer, and subscribers that are
/// objects.
struct ReSwiftState: Equatable, Sendable {
  var value: Int?
  var name = "Initial"
  var age = 29
  /// A part that is not `Equatable`.
  var part = Part()

  struct Part: Sendable {
    var text = "Initial"
    var age: Int?
  }

  static func == (first: ReSwiftState, second: ReSwiftState) -> Bool {
    (first.value, first.name, first.age) == (second.value, second.name, second.age)
  }
}

struct SetValue: Action { var value: Int? }
struct SetName: Action { var name: String }
struct SetAge: Action { var age: Int }
struct SetPart: Action { var part: ReSwiftState.Part }

@Sendable func reSwiftReducer(action: any Action, state: ReSwiftState?) -> ReSwiftState {
  var state = state ?? ReSwiftState()
  switch action {
  case let action as SetValue: state.value = action.value
  case let action as SetName: state.name = action.name
  case let action as SetAge: state.age = action.age
  case let action as SetPart: state.part = action.part
  default: break
  }
  return state
}

func makeReSwiftStore(_ state: ReSwiftState = ReSwiftState()) -> Store<ReSwiftState> {
  Store(initialState: state, reducer: Reducer(wrapping: reSwiftReducer))
}

/// A subscriber as ReSwift has it, which remembers every value it was told.
final class Subscriber<Value: Sendable>: Sendable {
  private let told = Recorder<Value>()

  var values: [Value] { told.values }

  func newState(state: Value) { told.record(state) }
}
