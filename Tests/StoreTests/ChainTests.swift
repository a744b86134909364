import Store
import TestSupport
import Testing

/// Long chains of actions that observers send; minutes are for the thread sanitizer.
@Suite(.timeLimit(.minutes(5)))
struct ChainTests {
  /// A million; a tenth of it under the thread sanitizer, which takes thirty times as long.
  private static let million = isThreadSanitized ? 100_000 : 1_000_000

  @Test func `S4: a million actions sent by an observer use the stack of one and keep their order`()
    async
  {
    // Given a thread whose stack holds a few calls of dispatch, not thousands
    let store = makeJournal()
    let last = Box(0)
    let misplaced = Box(0)
    let subscription = store.subscribe(\.count, initial: false) { count in
      if last.exchange(count) != count - 1 { misplaced.value += 1 }
      if count < Self.million { store.dispatch(Increment()) }
    }

    // When
    let told = await runOnThread(stackSize: 128 * 1024) {
      store.dispatch(Increment())
      return last.value
    }

    // Then
    #expect(told == Self.million)
    #expect(misplaced.value == 0)
    subscription.cancel()
  }

  @Test func `S4: a chain through a link uses constant stack as well`() async {
    let store = makeJournal(middleware: [Middleware { action, _, next in next(action) }])
    let subscription = store.subscribe(\.count, initial: false) { count in
      if count < 100_000 { store.dispatch(Increment()) }
    }

    await runOnThread(stackSize: 128 * 1024) { _ = store.dispatch(Increment()) }

    #expect(store.state.count == 100_000)
    subscription.cancel()
  }
}
