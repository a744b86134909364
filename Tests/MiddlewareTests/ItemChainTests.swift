import Middleware
import Store
import TestSupport
import Testing

/// Long chains of actions that items send; minutes are for the thread sanitizer.
@Suite(.timeLimit(.minutes(5)))
struct ItemChainTests {
  private struct Tick: Action { let number: Int }

  /// A million; a tenth of it under the thread sanitizer, which takes thirty times as long.
  ///
  /// A run of the sanitizer without options is not noticed, takes minutes and passes.
  private static let million = isThreadSanitized ? 100_000 : 1_000_000

  @Test func `S4: a million actions sent by an item use the stack of one and keep their order`()
    async
  {
    // Given
    let (last, misplaced) = (Box(0), Box(0))
    let store = Self.makeStore(sending: Self.million) { tick in
      if last.exchange(tick) != tick - 1 { misplaced.value += 1 }
    }

    // When
    await Self.runChain(of: store)

    // Then
    #expect(store.state == Self.million)
    #expect(misplaced.value == 0)
  }

  #if os(Linux)
    @Test(.disabled(if: isThreadSanitized, "the sanitizer's own memory is not flat"))
    func `S16: a hundred thousand actions sent by an item keep memory flat`() async {
      // In a process of its own, whose memory no other test uses.
      await #expect(processExitsWith: .success) {
        let store = Self.makeStore(sending: 100_000)
        await Self.runChain(of: Self.makeStore(sending: 10_000))
        let before = try residentBytes()
        await Self.runChain(of: store)
        #expect(store.state == 100_000)
        // An action that is remembered takes more than a hundred bytes.
        #expect(try residentBytes() - before < 100_000 * 40)
      }
    }
  #endif

  /// Makes a store whose item answers each tick with the next one, until the last.
  private static func makeStore(
    sending ticks: Int, each: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> Store<Int> {
    Store(
      initialState: 0, reducer: .on(Tick.self) { $0 = $1.number },
      middleware: [
        createMiddleware(items: [
          .on(Tick.self) { tick, dispatch in
            each(tick.number)
            if tick.number < ticks { dispatch(Tick(number: tick.number + 1)) }
          }
        ])
      ])
  }

  /// Sends the first tick on a thread whose stack holds a few calls of `dispatch`, not thousands.
  private static func runChain(of store: Store<Int>) async {
    await runOnThread(stackSize: 128 * 1024) { _ = store.dispatch(Tick(number: 1)) }
  }
}
