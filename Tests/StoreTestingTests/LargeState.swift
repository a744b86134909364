import Store
import TestSupport

/// A state of 64 KiB that is stored in place, and nothing of it in a collection.
struct LargeState: Equatable, Sendable {
  var count = 0
  var half = Half()
  var otherHalf = Half()
  var tail = 0
  var copies = CopyCount()

  struct Line: Equatable, Sendable { var a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7 }
  struct Page: Equatable, Sendable {
    var a = Line(), b = Line(), c = Line(), d = Line()
    var e = Line(), f = Line(), g = Line(), h = Line()
  }
  struct Sheet: Equatable, Sendable {
    var a = Page(), b = Page(), c = Page(), d = Page()
    var e = Page(), f = Page(), g = Page(), h = Page()
  }
  struct Half: Equatable, Sendable {
    var a = Sheet(), b = Sheet(), c = Sheet(), d = Sheet()
    var e = Sheet(), f = Sheet(), g = Sheet(), h = Sheet()
  }

  /// Counts how often the state was changed while somebody held another copy of it.
  struct CopyCount: Equatable, Sendable {
    private var token = DeinitProbe {}
    private(set) var value = 0

    mutating func note() { if !isKnownUniquelyReferenced(&token) { value += 1 } }

    /// It says nothing about the state.
    static func == (first: CopyCount, second: CopyCount) -> Bool { true }
  }
}

/// Changes a word at either end of the state.
struct Grow: Action, Equatable { var steps = 1 }
/// Starts an item or an effect, and is reduced as well.
struct Work: Action, Equatable {}

let largeReducer = Reducer<LargeState>.combine(
  .on(Grow.self) { state, grow in
    state.copies.note()
    state.count += grow.steps
    state.otherHalf.h.h.h.h += grow.steps
  },
  .on(Work.self) { state, _ in
    state.copies.note()
    state.tail += 1
  })

/// Makes a store of a large state, which is on no stack when this has returned.
func makeLargeStore(_ middleware: [Middleware<LargeState>] = []) -> Store<LargeState> {
  Store(initialState: LargeState(), reducer: largeReducer, middleware: middleware)
}

/// Reads the whole state, in a frame of its own.
func read(_ store: Store<LargeState>) -> (count: Int, copies: Int) {
  let state = store.state
  return (state.count, state.copies.value)
}
