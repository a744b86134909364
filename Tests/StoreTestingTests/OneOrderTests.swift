import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// The order of what effects do side by side.
@Suite(.timeLimit(.minutes(5)))
struct OneOrderTests {
  private struct Begin: Action {}
  private struct Mark: Action, Equatable { var text: String }
  private struct Marks: Equatable, Sendable { var texts: [String] = [] }

  private actor Relay {
    private var count = 0
    func next() async -> Int {
      count += 1
      await Task.yield()
      return count
    }
  }

  /// An effect with children that sleep, meet in an actor and send.
  private static func effect(_ number: Int, _ relay: Relay) -> MiddlewareItem {
    .effect(on: Begin.self) { _, effect in
      await withTaskGroup { group in
        for child in 0..<3 {
          group.addTask {
            for round in 0..<2 {
              try? await effect.sleep(for: .milliseconds((number * 7 + child * 3) % 5))
              let turn = await relay.next()
              effect.dispatch(Mark(text: "\(number).\(child).\(round) \(turn)"))
            }
          }
        }
      }
      try? await effect.sleep(for: .milliseconds(10 - number))
      effect.dispatch(Mark(text: "\(number) ends"))
    }
  }

  /// What ten such effects side by side send, in its order.
  private static func run() async -> [String] {
    let (relay, failures) = (Relay(), Recorder<String>())
    let reducer = Reducer<Marks>.on(Mark.self) { $0.texts.append($1.text) }
    let store = TestStore(
      initialState: BoxedValue(Marks()), reducer: reducer,
      middleware: [createMiddleware(items: (0..<10).map { effect($0, relay) })],
      exhaustivity: .off, limit: .seconds(60), report: { text, _ in failures.record(text) },
      creation: TestLocation("T/T.swift", "T", 1, 1))
    await store.send(Begin())
    await store.clock.run()
    await store.finish()
    #expect(failures.values == [])
    return store.state.texts
  }

  @Test func `T5: a thousand runs of ten effects with children give one order`() async {
    let first = await Self.run()
    #expect(first.count == 70)
    var others = 0
    for _ in 1..<(isThreadSanitized ? 100 : 1_000) where await Self.run() != first { others += 1 }
    #expect(others == 0)
  }

  @Test func `T6: stores for tests side by side give each the order of one alone`() async {
    let alone = await Self.run()
    await withTaskGroup { group in
      for _ in 0..<scaled(100) { group.addTask { await Self.run() } }
      for await order in group { #expect(order == alone) }
    }
  }
}
