import Store
import TestSupport

/// A state of 64 KiB that is stored in place, and nothing of it in a collection.
struct LargeState: Equatable, Sendable {
  var count = 0
  var half = Half()
  var otherHalf = Half()
  var tail = 0
  var copies = CopyCount()
  /// Of a size that the compiler does not know, so that the tests' own code, without optimisation,
  /// reaches into a state where it is and does not load all of it onto the stack.
  var label: any Sendable = 0

  /// Compares what the actions change.
  static func == (first: LargeState, second: LargeState) -> Bool {
    first.count == second.count && first.tail == second.tail
      && first.otherHalf.h.h.h.h == second.otherHalf.h.h.h.h
  }

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

/// What stores begin with.
///
/// To make it may take more stack than a store does, so `prepareLargeState()` comes first.
let initialLargeState = LargeState()

/// Makes the initial state where there is room for that.
func prepareLargeState() async {
  await runOnThread(stackSize: 8 << 20) { _ = read(initialLargeState) }
}

/// Returns the initial state of which nobody holds another copy.
func unsharedLargeState() -> LargeState {
  var state = initialLargeState
  state.copies = LargeState.CopyCount()
  return state
}

/// Makes a store of a large state.
func makeLargeStore(_ middleware: [Middleware<LargeState>] = []) -> Store<LargeState> {
  Store(initialState: unsharedLargeState(), reducer: largeReducer, middleware: middleware)
}

/// Reads the whole state, in a frame of its own.
func read(_ store: Store<LargeState>) -> (count: Int, copies: Int) { read(store.state) }

/// Reads a whole state that is somewhere already.
func read(_ state: LargeState) -> (count: Int, copies: Int) {
  (state.count, state.copies.value)
}

/// Changes a state as an action does, for a test that says what it expects.
func grow(_ state: inout LargeState) {
  state.count += 1
  state.otherHalf.h.h.h.h += 1
}
