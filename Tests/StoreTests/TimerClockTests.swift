import TestSupport
import Testing

@testable import Store

/// Sleeps on the queue; minutes are for the thread sanitizer and a busy machine.
@Suite(.timeLimit(.minutes(5)))
struct TimerClockTests {
  /// How a sleep ended.
  private enum End: Equatable {
    case due
    case cancelled
    case failed(String)
  }

  /// A sleep in a task of its own.
  private struct Sleep: Sendable {
    private let task: Task<Void, Never>
    private let ends: Recorder<End>

    /// Starts a sleep; one that `hasBegun` sleeps already where the platform can start a task at
    /// once.
    init(hasBegun: Bool = true, _ sleep: @escaping @Sendable () async throws -> Void) {
      let ends = Recorder<End>()
      self.ends = ends
      let work: @concurrent @Sendable () async -> Void = {
        do {
          try await sleep()
          ends.record(.due)
        } catch is CancellationError {
          ends.record(.cancelled)
        } catch {
          ends.record(.failed("\(error)"))
        }
      }
      task = hasBegun ? startedTask(work) : Task(operation: work)
    }

    func cancel() { task.cancel() }

    /// How it ended; nil if the time limit of the test came first.
    var end: End? { get async { await ends.waitForCount(1).first } }
  }

  @Test func `E31: a sleep ends, and not before its deadline`() async throws {
    let clock = TimerClock.timers
    let deadline = clock.now.advanced(by: .milliseconds(1))
    try await clock.sleep(until: deadline)
    #expect(clock.now >= deadline)
    // As whoever was given any clock calls it.
    let anyClock: any Clock<Duration> = .timers
    try await anyClock.sleep(for: .milliseconds(1))
  }

  @Test func `E31: a sleep that ends first is not held up by one that began first`() async throws {
    let clock = TimerClock(queue: TimerQueue())
    let long = Sleep { try await clock.sleep(for: .seconds(3_600)) }
    try await clock.sleep(for: .milliseconds(1))
    long.cancel()
    #expect(await long.end == .cancelled)
  }

  @Test(arguments: [
    .zero, .nanoseconds(-1), .seconds(-3_600), .seconds(Int64.min),
    Duration(attoseconds: .min),
  ])
  func `E19: a sleep of nothing or less returns at once`(duration: Duration) async throws {
    let queue = TimerQueue(startThread: { _ in
      Issue.record("no thread is needed")
      return false
    })
    let clock = TimerClock(queue: queue)
    try await clock.sleep(for: duration)
    try await clock.sleep(until: clock.now)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(-3_600)))
    #expect(!queue.hasThread)
  }

  @Test(arguments: [
    .seconds(100 * 86_400), .seconds(Int64.max), Duration(attoseconds: .max),
  ])
  func `E19: a sleep of a hundred days and more goes on until it is cancelled`(
    duration: Duration
  ) async {
    let queue = TimerQueue()
    let clock = TimerClock(queue: queue)
    let sleep = Sleep { try await clock.sleep(for: duration) }
    sleep.cancel()
    #expect(await sleep.end == .cancelled)
    #expect(queue.count == 0)
  }

  @Test func `E19: a deadline as far as any throws nothing but a cancellation`() async {
    let queue = TimerQueue()
    let clock = TimerClock(queue: queue)
    let deadline = clock.now.advanced(by: .seconds(Int64.max)).advanced(by: .seconds(Int64.max))
    let sleep = Sleep { try await clock.sleep(until: deadline) }
    // The thread has looked at that deadline when this one has fired.
    #expect(await Sleep { try await clock.sleep(for: .milliseconds(1)) }.end == .due)
    sleep.cancel()
    #expect(await sleep.end == .cancelled)
  }

  @Test func `E31: a task that was cancelled does not begin to sleep, however short`() async {
    let queue = TimerQueue()
    let clock = TimerClock(queue: queue)
    for duration in [.seconds(10), .zero, .seconds(-1)] as [Duration] {
      let sleep = Sleep {
        await Gate().wait()
        try await clock.sleep(until: clock.now.advanced(by: duration))
      }
      sleep.cancel()
      #expect(await sleep.end == .cancelled)
    }
    #expect(!queue.hasThread)
  }

  @Test func `E31: a cancel that comes before the sleep is in the queue is not lost`() async {
    let queue = TimerQueue()
    // As if the clock had asked just before: the handler runs before the sleeper is known.
    let sleep = Sleep {
      await Gate().wait()
      try await queue.sleep(until: .now.advanced(by: .seconds(10)))
    }
    sleep.cancel()
    #expect(await sleep.end == .cancelled)
    #expect(queue.count == 0)
  }

  @Test func `E31: a cancel ends a sleep, and its timer is gone`() async {
    let queue = TimerQueue()
    let clock = TimerClock(queue: queue)
    let sleep = Sleep { try await clock.sleep(for: .seconds(3_600)) }
    sleep.cancel()
    #expect(await sleep.end == .cancelled)
    #expect(queue.count == 0)
  }

  @Test func `E31: of 10,000 sleeps with racing cancels each ends once`() async {
    let queue = TimerQueue()
    let clock = TimerClock(queue: queue)
    let ends = Recorder<End>()
    await withTaskGroup { group in
      for worker in 0..<8 as Range<UInt64> {
        group.addTask {
          var random = SplitMix64(seed: worker)
          for _ in 0..<1_250 {
            let duration = Duration.microseconds(Int.random(in: 0...200, using: &random))
            let sleep = Sleep(hasBegun: Bool.random(using: &random)) {
              try await clock.sleep(for: duration)
            }
            // Cancels before it begins, while it sleeps, and about when it wakes.
            switch Int.random(in: 0..<4, using: &random) {
            case 0: break
            case 1: await Task.yield()
            default:
              let delay = Duration.microseconds(Int.random(in: 0...200, using: &random))
              try? await clock.sleep(for: delay)
            }
            sleep.cancel()
            guard let end = await sleep.end else { return }
            ends.record(end)
          }
        }
      }
    }
    #expect(ends.count == 10_000)
    #expect(ends.values.allSatisfy { $0 == .due || $0 == .cancelled })
    // Or it would not have been a race.
    #expect(ends.values.contains(.due))
    #expect(ends.values.contains(.cancelled))
    #expect(queue.count == 0)
  }

  @Test func `E31: the thread ends when nobody sleeps, and the next sleep starts another`()
    async throws
  {
    let ended = Recorder<Void>()
    let queue = TimerQueue(
      linger: .zero,
      startThread: { body in
        SystemThread.start {
          body()
          ended.record(())
        }
      })
    let clock = TimerClock(queue: queue)
    for round in 1...3 {
      try await clock.sleep(for: .milliseconds(1))
      await ended.waitForCount(round)
      #expect(ended.count == round)
      #expect(!queue.hasThread)
    }
  }

  @Test func `E31: without a thread a sleep fails with the reason, and a later one tries again`()
    async
  {
    let hasThreads = Box(false)
    let queue = TimerQueue(startThread: { hasThreads.value && SystemThread.start($0) })
    let clock = TimerClock(queue: queue)
    let reason = """
      The system has no thread left for timers; look for what started so many. A later sleep tries \
      again.
      """
    #expect(await Sleep { try await clock.sleep(for: .seconds(10)) }.end == .failed(reason))
    #expect(queue.count == 0)
    hasThreads.value = true
    #expect(await Sleep { try await clock.sleep(for: .milliseconds(1)) }.end == .due)
  }

  #if os(Linux)
    @Test(.disabled(if: isThreadSanitized, "the sanitizer's own memory is not flat"))
    func `E31: 300,000 sleeps of an hour, started and cancelled, leave memory within 5 MiB`()
      async
    {
      // In a process of its own, whose memory no other test uses.
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory { _ in .seconds(3_600) }
      }
    }

    @Test(.disabled(if: isThreadSanitized, "the sanitizer's own memory is not flat"))
    func `E31: 300,000 sleeps with ever earlier deadlines leave memory within 5 MiB`() async {
      await #expect(processExitsWith: .success) {
        try await Self.expectFlatMemory { .seconds(3_600) - .milliseconds($0 * 10) }
      }
    }

    private static func expectFlatMemory(_ duration: @Sendable (Int) -> Duration) async throws {
      let clock = TimerClock.timers
      func sleepAndCancel(_ numbers: Range<Int>) async {
        let sleeps = numbers.map { number in
          let duration = duration(number)
          return Sleep { try await clock.sleep(for: duration) }
        }
        for sleep in sleeps { sleep.cancel() }
        for sleep in sleeps where await sleep.end != .cancelled {
          Issue.record("a sleep of an hour was over")
        }
      }
      await sleepAndCancel(0..<1_000)
      let before = try residentBytes()
      // Few at a time: of a thousand tasks at once the allocator keeps more than is measured here,
      // whatever they wait for.
      for start in stride(from: 0, to: 300_000, by: 10) { await sleepAndCancel(start..<start + 10) }
      let growth = try residentBytes() - before
      #expect(growth < 5 << 20)
      #expect(TimerQueue.shared.count == 0)
    }
  #endif
}

/// The time limit cancels the waits for the gates, which then answer false.
@Suite(.timeLimit(.minutes(2)))
struct WakeSignalTests {
  @Test func `E31: a signal ends a wait, whether it is given before or after it began`() async {
    let signal = WakeSignal()
    let ended = Gate()
    let isWaiting = Gate()
    signal.give()
    #expect(
      SystemThread.start {
        signal.wait(atMost: .seconds(86_400))
        isWaiting.open()
        signal.wait(atMost: .seconds(86_400))
        ended.open()
      })
    #expect(await isWaiting.wait())
    signal.give()
    #expect(await ended.wait())
  }

  @Test(arguments: [.zero, .seconds(-1), .nanoseconds(1), .microseconds(1_001)] as [Duration])
  func `E31: a wait ends at its limit, and takes no time if that is nothing`(limit: Duration) async
  {
    let signal = WakeSignal()
    let ended = Gate()
    #expect(
      SystemThread.start {
        for _ in 0..<3 { signal.wait(atMost: limit) }
        ended.open()
      })
    #expect(await ended.wait())
  }
}
