import Middleware
import Store
import Synchronization
import TestSupport
import Testing

/// Middleware of ReSwift's shape, in the words of its own users.
@Suite(.timeLimit(.minutes(5)))
struct ReSwiftMiddlewareTests {
  typealias ReSwiftMiddleware = Middleware<Journal>.ReSwiftMiddleware

  /// Appends to each note.
  static func appending(_ text: String) -> ReSwiftMiddleware {
    { _, _ in
      { next in
        { action in
          guard let note = action as? Note else { return next(action) }
          next(Note(note.text + text))
        }
      }
    }
  }

  @Test func `M6: a middleware of ReSwift's shape is wrapped in one call and keeps its order`() {
    let log = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware(wrapping: Self.appending(" first")),
      tracing("native", in: log),
      Middleware(wrapping: Self.appending(" second")),
    ])

    store.dispatch(Note("A"))

    #expect(store.state.notes == ["A first second"])
    #expect(log.values == ["native> A first", "<native A first"])
  }

  @Test func `M6: it may pass, swallow and multiply, and outer links learn what became of that`() {
    // Given
    let results = Recorder<DispatchResult>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let result = next(action)
        results.record(result)
        return result
      },
      Middleware(wrapping: { _, _ in
        { next in
          { action in
            switch label(action) {
            case "swallow": break
            case "twice":
              next(action)
              next(action)
            default: next(action)
            }
          }
        }
      }),
    ])

    // When
    for text in ["pass", "swallow", "twice"] { store.dispatch(Note(text)) }

    // Then
    #expect(store.state.notes == ["pass", "twice", "twice"])
    #expect(results.values == [.reduced(commit: 1), .swallowed, .reduced(commit: 3)])
  }

  @Test func `M6: it reads the state before and after, and before the first action there is none`()
  {
    let seen = Recorder<Int?>()
    let store = makeJournal(middleware: [
      Middleware(wrapping: { _, getState in
        seen.record(getState()?.count)
        return { next in
          { action in
            seen.record(getState()?.count)
            next(action)
            seen.record(getState()?.count)
          }
        }
      })
    ])

    store.dispatch(Increment())
    store.dispatch(Increment())

    #expect(seen.values == [nil, 0, 1, 1, 2])
  }

  @Test func `M6: what it dispatches goes through the whole chain, nested in its own action`() {
    // Given
    let log = Recorder<String>()
    let identities = Recorder<DispatchIdentity>()
    let store = makeJournal(middleware: [
      tracing("outer", in: log),
      identifying(in: identities),
      Middleware(wrapping: { dispatch, _ in
        { next in
          { action in
            if action is Increment { dispatch(Note("nested")) }
            next(action)
          }
        }
      }),
    ])

    // When
    store.dispatch(Increment())

    // Then
    #expect(
      log.values == [
        "outer> Increment", "outer> nested", "<outer nested", "<outer Increment",
      ])
    #expect(identities.values.map(\.cause) == [.caller, .dispatch(1)])
    #expect(store.state == Journal(count: 1, notes: ["nested"]))
  }

  @Test func `M6: a nested dispatch does not change what the outer action's result is`() {
    // Given middleware that swallows an action and sends another instead
    let results = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let result = next(action)
        results.record("\(label(action)) \(result)")
        return result
      },
      Middleware(wrapping: { dispatch, _ in
        { next in
          { action in
            if action is Increment { dispatch(Note("instead")) } else { next(action) }
          }
        }
      }),
    ])

    store.dispatch(Increment())

    #expect(results.values == ["instead reduced(commit: 1)", "Increment swallowed"])
  }

  @Test func `M6: what it remembers belongs to one store`() {
    let counting = Middleware<Journal>(wrapping: { _, _ in
      let count = Box(0)
      return { next in
        { _ in
          count.value += 1
          next(Note("\(count.value)"))
        }
      }
    })
    let stores = [makeJournal(middleware: [counting]), makeJournal(middleware: [counting])]

    stores[0].dispatch(Unheard())
    stores[0].dispatch(Unheard())
    stores[1].dispatch(Unheard())

    #expect(stores.map(\.state.notes) == [["1", "2"], ["1"]])
  }

  @Test func `M6: a kept next lets an action go later, on any thread`() async {
    // Given middleware that keeps its actions
    let kept = Recorder<@Sendable () -> Void>()
    let told = Recorder<[String]>()
    let store = makeJournal(middleware: [
      Middleware(wrapping: { _, _ in { next in { action in kept.record { next(action) } } } })
    ])
    let subscription = store.subscribe(\.notes, initial: false) { told.record($0) }
    store.dispatch(Note("A"))
    store.dispatch(Note("B"))
    #expect(store.state.notes == [])

    // When
    kept.values[0]()
    await runOnThread { kept.values[1]() }

    // Then
    #expect(store.state.notes == ["A", "B"])
    #expect(told.values == [["A"], ["A", "B"]])
    subscription.cancel()
  }

  @Test func `M6: an action kept for a caller is not silenced with an effect that sent another`() {
    // Given a kept action of a caller, and one of an effect that is cancelled after that
    let kept = Recorder<@Sendable () -> Void>()
    let reference = Box<(any StoreReferencing)?>(nil)
    let store = makeJournal(
      middleware: [
        Middleware(followers: { store in
          reference.value = store
          return []
        }),
        Middleware(wrapping: { _, _ in { next in { action in kept.record { next(action) } } } }),
        Middleware { action, _, next in next(action) },
      ])
    store.dispatch(Note("by the caller"))
    guard let own = reference.value else { return }
    let identities = Recorder<DispatchIdentity>()
    let origin = makeJournal(middleware: [identifying(in: identities)])
    origin.dispatch(Unheard())
    let effect = Sending(store: own, origin: identities.values[0])
    _ = own.send(Note("by the effect"), SourceLine(), Sender(effect: effect))
    effect.cancelled.store(true, ordering: .releasing)

    // When
    kept.values[0]()

    // Then
    #expect(store.state.notes == ["by the caller"])
  }

  @Test func `M6: all three functions do nothing once the store is gone, and do not keep it`() {
    // Given
    let functions = Recorder<@Sendable () -> Void>()
    let states = Recorder<Journal?>()
    var store: Store<Journal>? = makeJournal(middleware: [
      Middleware(wrapping: { dispatch, getState in
        { next in
          { action in
            functions.record {
              dispatch(Increment())
              next(action)
              states.record(getState())
            }
            next(action)
          }
        }
      })
    ])
    weak let observed = store
    store?.dispatch(Increment())

    // When
    store = nil

    // Then
    #expect(observed == nil)
    functions.values.forEach { $0() }
    #expect(states.values == [nil])
  }

  @Test func `M6: an action that is passed on while another thread's is held keeps its identity`()
    async
  {
    // Given middleware that holds the first action until the second is held as well
    let (firstIsHeld, secondIsHeld, firstHasPassed) = (ThreadGate(), ThreadGate(), ThreadGate())
    let passed = Recorder<String>()
    let results = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let result = next(action)
        results.record("\(label(action)) \(result)")
        return result
      },
      Middleware(wrapping: { _, _ in
        { next in
          { action in
            if label(action) == "first" {
              firstIsHeld.open()
              #expect(secondIsHeld.wait())
              next(action)
              firstHasPassed.open()
            } else {
              secondIsHeld.open()
              #expect(firstHasPassed.wait())
              next(action)
            }
          }
        }
      }),
      Middleware { action, context, next in
        passed.record("\(label(action)) #\(context.identity.number)")
        return next(action)
      },
    ])

    // When
    async let first: Void = runOnThread {
      store.dispatch(Note("first"))
      return ()
    }
    #expect(await runOnThread { firstIsHeld.wait() })
    await runOnThread { _ = store.dispatch(Note("second")) }
    await first

    // Then
    #expect(passed.values == ["first #1", "second #2"])
    #expect(
      results.values.sorted() == ["first reduced(commit: 1)", "second reduced(commit: 2)"])
  }

  @Test func `M6: threads that dispatch at once do not mix up their calls`() async {
    // Given middleware that passes on only what its own thread sent, with its result told outside
    let wrong = Recorder<String>()
    let store = makeJournal(middleware: [
      Middleware { action, _, next in
        let (result, notes) = next(action, reading: \.notes)
        if case .reduced(let commit) = result, notes?.count != Int(commit) {
          wrong.record("\(notes?.count ?? -1) of \(commit)")
        }
        if result == .swallowed { wrong.record("swallowed") }
        return result
      },
      Middleware(wrapping: { _, getState in
        { next in
          { action in
            next(action)
            if getState()?.notes.contains(label(action)) != true { wrong.record("not visible") }
          }
        }
      }),
    ])

    // When
    await runOnThreads(4) { thread in
      for number in 0..<100 { store.dispatch(Note("\(thread)/\(number)")) }
    }

    // Then
    #expect(store.state.notes.count == 400)
    #expect(wrong.values == [])
  }
}

/// An effect that is silent when the test says so.
private final class Sending: EffectSender {
  let store: any StoreReferencing
  let name: EffectName = "search"
  let number: UInt64 = 1
  let origin: DispatchIdentity
  let cancelled = Atomic<Bool>(false)
  let ending = Completion()

  init(store: any StoreReferencing, origin: DispatchIdentity) {
    (self.store, self.origin) = (store, origin)
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
  var lineage: Lineage? { nil }
}
