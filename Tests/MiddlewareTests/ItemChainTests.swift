import Foundation
import Middleware
import Store
import TestSupport
import Testing

/// Long chains of actions that items send; minutes are for the thread sanitizer.
@Suite(.timeLimit(.minutes(5)))
struct ItemChainTests {
  struct Tick: Action { let number: Int }

  @Test func `S4: a million actions sent by an item use the stack of one and keep their order`()
    async
  {
    // Given a thread whose stack holds a few calls of dispatch, not thousands
    let (last, misplaced) = (Box(0), Box(0))
    let resident = Recorder<Int>()
    let store = Store(
      initialState: 0, reducer: .on(Tick.self) { $0 = $1.number },
      middleware: [
        createMiddleware(items: [
          .on(Tick.self) { tick, dispatch in
            if last.exchange(tick.number) != tick.number - 1 { misplaced.value += 1 }
            if tick.number == 10_000 || tick.number == 1_000_000 {
              resident.record(residentBytes())
            }
            if tick.number < 1_000_000 { dispatch(Tick(number: tick.number + 1)) }
          }
        ])
      ])

    // When
    await runOnThread(stackSize: 128 * 1024) { _ = store.dispatch(Tick(number: 1)) }

    // Then
    #expect(store.state == 1_000_000)
    #expect(misplaced.value == 0)

    // and S16: memory is flat, where a hundred bytes a generation would be 100 MB; what is allowed
    // is for the tests that run beside this one
    #expect((resident.values.last ?? .max) - (resident.values.first ?? 0) < 48 << 20)
  }
}

/// How much of this process is in memory, or zero where there is no cheap way to know.
private func residentBytes() -> Int {
  #if os(Linux)
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * 4_096
  #else
    return 0
  #endif
}
