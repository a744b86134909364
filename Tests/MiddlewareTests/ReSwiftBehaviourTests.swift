import Middleware
import Store
import TestSupport
import Testing

/// What ReSwift's own tests ask of middleware, with middleware in ReSwift's shape.
@Suite(.timeLimit(.minutes(5)))
struct ReSwiftBehaviourTests {
  typealias ReSwiftMiddleware = Middleware<Journal>.ReSwiftMiddleware

  private static let first: ReSwiftMiddleware = { _, _ in
    { next in
      { action in
        guard let note = action as? Note else { return next(action) }
        next(Note(note.text + " First"))
      }
    }
  }

  private static let second: ReSwiftMiddleware = { _, _ in
    { next in
      { action in
        guard let note = action as? Note else { return next(action) }
        next(Note(note.text + " Second"))
      }
    }
  }

  private static let dispatching: ReSwiftMiddleware = { dispatch, _ in
    { next in
      { action in
        if action is Increment { dispatch(Note("OK")) }
        next(action)
      }
    }
  }

  private static func wrapped(_ middleware: [ReSwiftMiddleware]) -> Store<Journal> {
    makeJournal(middleware: middleware.map { Middleware(wrapping: $0) })
  }

  @Test func `S19: middleware changes an action in the order of the array`() {
    let store = Self.wrapped([Self.first, Self.second])
    store.dispatch(Note("OK"))
    #expect(store.state.notes == ["OK First Second"])
  }

  @Test func `S19: middleware may dispatch another action, and the one it handles goes on`() {
    let store = Self.wrapped([Self.first, Self.second, Self.dispatching])
    store.dispatch(Increment())
    #expect(store.state == Journal(count: 1, notes: ["OK First Second"]))
  }

  @Test func `S19: middleware may read the state and replace an action by another once`() {
    // Given middleware that swallows an action and sends another instead, by the state
    let replacing: ReSwiftMiddleware = { dispatch, getState in
      { next in
        { action in
          guard (action as? Note)?.text != "Not OK", getState()?.count == 0 else {
            return next(action)
          }
          dispatch(Note("Not OK"))
        }
      }
    }
    let store = Self.wrapped([replacing])

    // When
    store.dispatch(Note("OK"))
    store.dispatch(Increment())

    // Then
    #expect(store.state == Journal(notes: ["Not OK", "Not OK"]))
  }

  @Test func `S19: a link that may be switched takes the place of changing the array`() {
    let isOn = Box(false)
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        guard isOn.value, let note = action as? Note else { return next(action) }
        return next(Note(note.text + " switched"))
      }
    ])

    store.dispatch(Note("A"))
    isOn.value = true
    store.dispatch(Note("B"))
    isOn.value = false
    store.dispatch(Note("C"))

    #expect(store.state.notes == ["A", "B switched", "C"])
  }
}
