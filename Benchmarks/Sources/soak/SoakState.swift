import SideEffects
import Store
import Synchronization

/// Starts a run of one effect.
struct Work: Action {
  let id: Int
  let effect: Int
  let key: Int
  /// The works that led to this one.
  let ancestors: [Int]
}

/// What a run sends.
struct Note: Action {
  let token: RunToken
}

/// Takes an element away, and with it the effects that are bound to it.
struct Remove: Action {
  let key: Int
}

struct Signal: Action {}

/// Is answered with a signal before its dispatch returns.
struct Question: Action {}

/// The state of a store in the soak, whose reducer is the judge of what is reduced.
struct SoakState: Sendable {
  struct Slot: Hashable {
    let effect: Int
    let key: Int?
  }

  let program: Program
  let violations: Violations
  let counted: Counted
  var works = 0
  /// The work that was reduced last.
  var latest: [Slot: Int] = [:]
  /// The elements that were removed, until the next work about them.
  var absent: Set<Int> = []
  /// How often each element was removed.
  var removals: [Int: Int] = [:]
  /// How often its element had been removed when a work was reduced.
  var removalsAtWork: [Int: Int] = [:]

  func slot(of work: Work) -> Slot {
    Slot(effect: work.effect, key: program.effects[work.effect].isKeyed ? work.key : nil)
  }

  mutating func reduce(_ work: Work) {
    works += 1
    absent.remove(work.key)
    latest[slot(of: work)] = work.id
    if program.effects[work.effect].isBound {
      removalsAtWork[work.id] = removals[work.key, default: 0]
    }
  }

  mutating func reduce(_ note: Note) {
    let token = note.token
    if token.isSilenced.load(ordering: .acquiring) {
      violations.add("E6: reduced after its cancel had returned: work \(token.work)")
    }
    guard !token.isSpawned else { return }
    let plan = program.effects[token.work.effect]
    let slot = slot(of: token.work)
    if plan.isLatest, latest[slot] != token.work.id {
      violations.add("E9: reduced after a newer action had come: work \(token.work)")
    }
    if plan.isBound, plan.isKeyed,
      removalsAtWork[token.work.id] != removals[token.work.key, default: 0]
    {
      violations.add("E33: reduced after its element was removed: work \(token.work)")
    }
  }

  mutating func reduce(_ remove: Remove) {
    absent.insert(remove.key)
    removals[remove.key, default: 0] += 1
  }

  mutating func reduce(_ failure: EffectFailed) {
    if failure.error is Expected || failure.error is EffectTimedOut
      || failure.error is EffectQueueFull
    {
      return
    }
    violations.add("E23: ‘\(failure.name)’ failed with \(failure.error)")
  }

  static let reducer = Reducer<SoakState>.combine(
    .on(Work.self) { state, work in state.reduce(work) },
    .on(Note.self) { state, note in state.reduce(note) },
    .on(EffectFailed.self) { state, failure in state.reduce(failure) },
    .on(Remove.self) { state, remove in state.reduce(remove) }
  )
}

/// What bodies throw on purpose.
struct Expected: Error {}

/// What went wrong in a program.
final class Violations: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
