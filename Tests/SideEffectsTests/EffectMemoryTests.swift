import Middleware
import SideEffects
import Store
import TestSupport
import Testing

#if os(Linux)
  /// What waits for an hour and is cancelled leaves nothing: measured in processes of their own, whose
  /// memory no other test uses.
  @Suite(
    .timeLimit(.minutes(5)), .disabled(if: isThreadSanitized, "the sanitizer's memory is not flat"))
  struct EffectMemoryTests {
    private struct Interrupted: Error {}

    private static let hour = Duration.seconds(3_600)

    @Test func `E31: 300,000 sleeps of an hour, started and cancelled, leave memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self, .latest) { _, effect in try await effect.sleep(for: Self.hour) })
      }
    }

    @Test func `E31: 300,000 time limits of an hour, not reached, leave memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self) { _, effect in
            // A call that suspends, and is over long before its limit.
            try await effect.timeout(after: Self.hour) { await Task.yield() }
          })
      }
    }

    @Test func `E31: 300,000 takes with a limit of an hour leave memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self, .latest) { _, effect in
            _ = try await effect.take(Answer.self, timeout: Self.hour)
          })
      }
    }

    @Test func `E31: 300,000 debounces of an hour leave memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self, .debounce(for: Self.hour, maxWait: Self.hour * 2)) { _, _ in })
      }
    }

    @Test func `E31: 300,000 debounces of keys of their own, cancelled, leave memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self, key: \.id, .debounce(for: Self.hour)) { _, _ in })
      }
    }

    @Test func `E31: 300,000 throttles of an hour leave memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self, .throttle(for: Self.hour)) { _, _ in })
      }
    }

    @Test func `E31: 300,000 retries after an hour, cancelled, leave memory flat`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self, .latest) { _, effect in
            try await effect.retry(.constant(Self.hour, attempts: 3)) { throw Interrupted() }
          })
      }
    }

    @Test func `E32: 300,000 restarts of bodies that throw when cancelled leave memory flat`() async
    {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory(
          .effect(on: Begin.self, .latest) { _, effect in
            do { try await effect.sleep(for: Self.hour) } catch { throw Interrupted() }
          })
      }
    }

    /// Starts the effect with many actions, of which it leaves a few at a time.
    private static func expectFlatMemory(_ item: MiddlewareItem) async throws {
      let store = Store(
        initialState: 0, reducer: .on(Begin.self) { count, _ in count += 1 },
        middleware: [createMiddleware(items: [item])])
      func run(_ ids: Range<Int>) async {
        for start in stride(from: ids.lowerBound, to: ids.upperBound, by: 10) {
          for id in start..<start + 10 { store.dispatch(Begin(id: id)) }
          store.cancelEffects(.all)
          // Their bodies have to return before more are started, or the memory is theirs.
          await store.idle()
        }
      }
      await run(0..<2_000)
      let before = try residentBytes()
      let count = scaled(300_000)
      await run(2_000..<2_000 + count)
      let growth = try residentBytes() - before
      #expect(growth < 5 << 20, "grew by \(growth) bytes")
      #expect(store.state == 2_000 + count)
      #expect(store.liveEffects().isEmpty)
    }
  }
#endif
