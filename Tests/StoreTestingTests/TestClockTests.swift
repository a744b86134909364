import TestSupport
import Testing

@testable import StoreTesting

/// Sleepers on a test clock, most of them on an executor of their own.
@Suite(.timeLimit(.minutes(5)))
struct TestClockTests {
  /// A clock, the executor that it belongs to, and what the sleepers have noted.
  private struct Bench: Sendable {
    let executor: DeterministicExecutor
    let clock: TestClock
    let notes = Recorder<String>()

    init(seed: UInt64? = nil) {
      executor = DeterministicExecutor(seed: seed)
      clock = TestClock(executor: executor)
    }

    /// Notes something and the time in milliseconds.
    func note(_ text: String) { notes.record("\(text) at \(clock.now.offset / .milliseconds(1))") }

    @discardableResult
    func start(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
      Task(executorPreference: executor) {
        do { try await body() } catch { note("\(type(of: error))") }
      }
    }

    /// Starts a task that sleeps for each of the durations, in milliseconds, and notes each waking.
    func startSleeping(_ name: String, _ durations: Int...) {
      start {
        for duration in durations {
          try await clock.sleep(for: .milliseconds(duration))
          note(name)
        }
      }
    }
  }

  private func times(_ offsets: Int...) -> [TestClock.Instant] {
    offsets.map { TestClock.Instant(offset: .milliseconds($0)) }
  }

  @Test func `T4: sleepers wake in order of due time, and each sees its own`() async {
    let bench = Bench()
    bench.startSleeping("c", 30)
    bench.startSleeping("a", 10)
    bench.startSleeping("d", 41)
    bench.startSleeping("b", 20)
    await bench.clock.advance(by: .milliseconds(40))
    #expect(bench.notes.values == ["a at 10.0", "b at 20.0", "c at 30.0"])
    #expect(bench.clock.now.offset == .milliseconds(40))
    await bench.clock.advance(to: TestClock.Instant(offset: .milliseconds(41)))
    #expect(bench.notes.values.last == "d at 41.0")
    #expect(bench.executor.isIdle)
  }

  @Test func `T4: those due at one time wake in the order in which they began to sleep`() async {
    let bench = Bench()
    // Due together, asked for by different durations at different times.
    bench.startSleeping("late", 5, 25)
    for number in 0..<10 { bench.startSleeping("\(number)", 30) }
    await bench.clock.advance(by: .milliseconds(30))
    #expect(
      bench.notes.values == ["late at 5.0"] + (0..<10).map { "\($0) at 30.0" } + ["late at 30.0"])
  }

  @Test func `T4: those due at one time are all woken before any of them goes on`() async {
    let bench = Bench()
    let second = Box(Task<Void, Never>?.none)
    bench.start {
      try await bench.clock.sleep(for: .milliseconds(10))
      // Too late: the second has been woken.
      second.value?.cancel()
      bench.note("first")
    }
    second.value = bench.start {
      try await bench.clock.sleep(for: .milliseconds(10))
      bench.note("second")
    }
    await bench.clock.advance(by: .milliseconds(10))
    #expect(bench.notes.values == ["first at 10.0", "second at 10.0"])
  }

  @Test func `T4: sleeps inside an advance wake at their own times in the same advance`() async {
    let bench = Bench()
    bench.startSleeping("steps", 10, 10, 10, 10)
    bench.startSleeping("other", 15, 10)
    await bench.clock.advance(by: .milliseconds(35))
    #expect(
      bench.notes.values == [
        "steps at 10.0", "other at 15.0", "steps at 20.0", "other at 25.0", "steps at 30.0",
      ])
    #expect(bench.clock.sleepers.map(\.due) == times(40))
  }

  @Test func `T4: the time waits for all that was woken, over actors, streams and children`() async
  {
    actor Relay {
      private let continuation: AsyncStream<Int>.Continuation
      init(_ continuation: AsyncStream<Int>.Continuation) { self.continuation = continuation }
      func pass(_ number: Int) async {
        await Task.yield()
        continuation.yield(number)
      }
    }
    let bench = Bench()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let relay = Relay(continuation)
    bench.start {
      for await number in stream {
        await withTaskGroup { group in
          for child in 0..<3 {
            group.addTask {
              for _ in 0..<20 { await Task.yield() }
              try? await bench.clock.sleep(for: .milliseconds(child + 1))
              bench.note("\(number).\(child)")
            }
          }
        }
        if number < 2 { await relay.pass(number + 1) }
      }
    }
    bench.start {
      try await bench.clock.sleep(for: .milliseconds(10))
      await relay.pass(1)
    }
    // Nobody may find a time later than the one at which it was woken.
    await bench.clock.advance(by: .milliseconds(100))
    #expect(
      bench.notes.values == [
        "1.0 at 11.0", "1.1 at 12.0", "1.2 at 13.0", "2.0 at 14.0", "2.1 at 15.0", "2.2 at 16.0",
      ])
    continuation.finish()
    await bench.executor.drain()
  }

  @Test func `T4: who is about to sleep when an advance begins is counted in`() async {
    let bench = Bench()
    bench.startSleeping("a", 1)
    #expect(bench.clock.sleepers.isEmpty)
    await bench.clock.advance(by: .milliseconds(1))
    #expect(bench.notes.values == ["a at 1.0"])
  }

  @Test(arguments: 0..<100)
  func `T4: the order of due times holds for any interleaving`(seed: UInt64) async {
    let bench = Bench(seed: seed)
    for number in 1...5 { bench.startSleeping("\(number)", 10 * number, 60 - 10 * number) }
    await bench.clock.advance(by: .milliseconds(100))
    let notes = bench.notes.values
    #expect(Array(notes.prefix(5)) == (1...5).map { "\($0) at \($0)0.0" })
    #expect(notes.dropFirst(5).sorted() == (1...5).map { "\($0) at 60.0" })
  }

  @Test func `T4: run lets time pass until nobody sleeps`() async {
    let bench = Bench()
    bench.startSleeping("a", 10, 3_600_000)
    bench.startSleeping("b", 20)
    await bench.clock.run()
    #expect(bench.notes.values == ["a at 10.0", "b at 20.0", "a at 3600010.0"])
    #expect(bench.clock.now.offset == .milliseconds(3_600_010))
    #expect(bench.clock.sleepers.isEmpty)
    await bench.clock.run()
    #expect(bench.clock.now.offset == .milliseconds(3_600_010))
  }

  @Test func `T4: run returns when its task is cancelled, though somebody polls for ever`() async {
    let bench = Bench()
    let isKnown = Gate()
    let returned = Gate()
    let runner = Box(Task<Void, Never>?.none)
    let polling = bench.start {
      var polls = 0
      while true {
        try await bench.clock.sleep(for: .milliseconds(10))
        polls += 1
        if polls == 5 { runner.value?.cancel() }
      }
    }
    let task = Task {
      await isKnown.wait()
      await bench.clock.run()
      returned.open()
    }
    runner.value = task
    isKnown.open()
    #expect(await returned.wait())
    #expect(bench.clock.now.offset == .milliseconds(50))
    #expect(bench.clock.sleepers.map(\.due) == times(60))
    polling.cancel()
    await bench.executor.drain()
    #expect(bench.notes.values == ["CancellationError at 50.0"])
  }

  @Test func `T4: the time never goes back, and an advance of nothing runs what is ready`() async {
    let bench = Bench()
    await bench.clock.advance(by: .milliseconds(10))
    bench.startSleeping("a", 5)
    bench.start { bench.note("ready") }
    await bench.clock.advance(by: .milliseconds(-3))
    #expect(bench.clock.now.offset == .milliseconds(10))
    #expect(bench.notes.values == ["ready at 10.0"])
    await bench.clock.advance(to: TestClock.Instant(offset: .zero))
    await bench.clock.advance(by: .zero)
    #expect(bench.clock.now.offset == .milliseconds(10))
    #expect(bench.clock.sleepers.map(\.due) == times(15))
    await bench.clock.advance(by: .milliseconds(5))
    #expect(bench.notes.values == ["ready at 10.0", "a at 15.0"])
  }

  @Test func `T4: a task on the executor can advance the clock`() async {
    let bench = Bench()
    bench.startSleeping("a", 10, 10)
    bench.start {
      await bench.clock.advance(by: .milliseconds(15))
      bench.note("advanced")
    }
    bench.startSleeping("b", 15)
    await bench.executor.drain()
    #expect(bench.notes.values == ["a at 10.0", "b at 15.0", "advanced at 15.0"])
  }

  @Test func `T4: sleepers are listed in order of due time, with their identities`() async {
    let bench = Bench()
    bench.startSleeping("a", 3_000)
    bench.startSleeping("b", 1_000)
    bench.startSleeping("c", 3_000)
    await bench.clock.advance(by: .milliseconds(500))
    #expect(bench.clock.sleepers.map(\.due) == times(1_000, 3_000, 3_000))
    #expect(bench.clock.sleepers.map(\.id) == [2, 1, 3])
    await bench.clock.run()
    #expect(bench.clock.sleepers.isEmpty)
  }

  @Test func `E19: sleeps of nothing or less return at once`() async {
    let bench = Bench()
    bench.startSleeping("a", 0, -5)
    await bench.executor.drain()
    #expect(bench.notes.values == ["a at 0.0", "a at 0.0"])
    #expect(bench.clock.sleepers.isEmpty)
  }

  @Test func `E19: a time too far to be named is the last there is`() async {
    let bench = Bench()
    let longest = Duration(attoseconds: .max)
    await bench.clock.advance(by: .seconds(1))
    bench.start {
      try await bench.clock.sleep(for: longest)
      bench.note("the end")
    }
    await bench.clock.advance(by: .seconds(100 * 86_400))
    #expect(bench.notes.count == 0)
    #expect(bench.clock.sleepers.map(\.due.offset) == [longest])
    await bench.clock.advance(by: longest)
    #expect(bench.notes.count == 1)
    #expect(bench.clock.now.offset == longest)
    let first = TestClock.Instant(offset: Duration(attoseconds: .min))
    #expect(first.duration(to: bench.clock.now) == longest)
    #expect(bench.clock.now.duration(to: first) == Duration(attoseconds: .min))
    #expect(first.advanced(by: .seconds(-1)) == first)
  }

  @Test func `T4: a cancelled sleep ends at once, and only with that`() async {
    let bench = Bench()
    let sleeping = bench.start { try await bench.clock.sleep(for: .seconds(1)) }
    bench.startSleeping("b", 1_000)
    await bench.executor.drain()
    #expect(bench.clock.sleepers.count == 2)
    sleeping.cancel()
    #expect(bench.clock.sleepers.map(\.id) == [2])
    await bench.clock.advance(by: .seconds(1))
    #expect(bench.notes.values == ["CancellationError at 0.0", "b at 1000.0"])
    // Who was woken is not cancelled any more.
    let woken = bench.start {
      try await bench.clock.sleep(for: .seconds(1))
      bench.note("woken")
    }
    bench.start {
      try await bench.clock.sleep(for: .milliseconds(999))
      try await bench.clock.sleep(for: .milliseconds(1))
      woken.cancel()
    }
    await bench.clock.advance(by: .seconds(1))
    #expect(bench.notes.values.last == "woken at 2000.0")
    // Who was cancelled before does not begin.
    let cancelled = bench.start { try await bench.clock.sleep(for: .zero) }
    cancelled.cancel()
    await bench.executor.drain()
    #expect(bench.notes.values.last == "CancellationError at 2000.0")
  }

  @Test func `T4: of racing cancels none is lost`() async {
    let clock = TestClock()
    let ends = Recorder<Bool>()
    for _ in 0..<scaled(50_000) {
      let sleep = Task {
        do {
          try await clock.sleep(for: .seconds(1))
        } catch {
          ends.record(error is CancellationError)
        }
      }
      sleep.cancel()
    }
    await ends.waitForCount(scaled(50_000))
    #expect(ends.values == Array(repeating: true, count: scaled(50_000)))
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `T4: a clock without an executor wakes who is due`() async {
    let clock = TestClock()
    // Not the clock's, which cannot know of it.
    let executor = DeterministicExecutor()
    let notes = Recorder<Int>()
    for seconds in [3, 1, 2] {
      Task(executorPreference: executor) {
        try? await clock.sleep(for: .seconds(seconds))
        notes.record(seconds)
      }
    }
    executor.runUntilIdle()
    await clock.advance(by: .seconds(1))
    executor.runUntilIdle()
    #expect(notes.values == [1])
    #expect(clock.sleepers.map(\.due.offset) == [.seconds(2), .seconds(3)])
    await clock.run()
    executor.runUntilIdle()
    #expect(notes.values == [1, 2, 3])
    #expect(clock.now.offset == .seconds(3))
  }
}
