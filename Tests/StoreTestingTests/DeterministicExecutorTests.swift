import Store
import TestSupport
import Testing

@testable import StoreTesting

/// Jobs that run when they are told to; minutes are for the thread sanitizer.
@Suite(.timeLimit(.minutes(5)))
struct DeterministicExecutorTests {
  /// A service that many tasks use at once.
  private actor Service {
    private let calls: Recorder<String>
    private var total = 0

    init(_ calls: Recorder<String>) { self.calls = calls }

    func call(_ name: String) {
      total += 1
      calls.record("\(name) is \(total)")
    }
  }

  /// Runs ten tasks with children over one actor, and returns in which order they called it.
  private static func interleaving(seed: UInt64? = nil) -> [String] {
    let executor = DeterministicExecutor(seed: seed)
    let calls = Recorder<String>()
    let service = Service(calls)
    for number in 0..<10 {
      Task(executorPreference: executor) {
        async let bound: Void = service.call("\(number) bound")
        await withTaskGroup { group in
          for child in 0..<3 {
            group.addTask {
              await service.call("\(number).\(child) begins")
              await Task.yield()
              await service.call("\(number).\(child) ends")
            }
          }
        }
        await bound
        calls.record("\(number) is done")
      }
    }
    executor.runUntilIdle()
    return calls.values
  }

  @Test func `T5: 1,000 runs of ten tasks with children over an actor give one order`() {
    let first = Self.interleaving()
    #expect(first.count == 10 * (1 + 3 * 2 + 1))
    #expect(Set(first).count == first.count)
    for _ in 1..<(isThreadSanitized ? 100 : 1_000) {
      guard Self.interleaving() == first else {
        Issue.record("another order than in the first run")
        return
      }
    }
  }

  @Test func `T5: each seed gives one order, and different seeds give different ones`() {
    let orders = (0..<20 as Range<UInt64>).map { seed in
      let first = Self.interleaving(seed: seed)
      for _ in 0..<20 { #expect(Self.interleaving(seed: seed) == first) }
      return first
    }
    #expect(Set(orders).count == orders.count)
    // The same work in all of them, only in another order.
    let done = (0..<10).map { "\($0) is done" }
    #expect(orders.allSatisfy { $0.filter(done.contains).sorted() == done })
    #expect(!orders.contains(Self.interleaving()))
  }

  @Test func `T5: without a seed jobs run in the order in which they came`() {
    let executor = DeterministicExecutor()
    let order = Recorder<Int>()
    for number in 0..<100 { Task(executorPreference: executor) { order.record(number) } }
    #expect(order.count == 0)
    executor.runUntilIdle()
    #expect(order.values == Array(0..<100))
  }

  @Test func `T5: the order holds in a crowd that never empties`() {
    let executor = DeterministicExecutor()
    let order = Recorder<Int>()
    @Sendable func start(_ number: Int) {
      Task(executorPreference: executor) {
        order.record(number)
        // One for each that ran, behind those that wait.
        if number < 9_000 { start(number + 1_000) }
      }
    }
    for number in 0..<1_000 { start(number) }
    executor.runUntilIdle()
    #expect(order.values == Array(0..<10_000))
  }

  @Test func `T5: task groups, async let, actors, streams and handlers stay on it`() async {
    let executor = DeterministicExecutor()
    let places = Recorder<ThreadIdentity>()
    let ended = Box(false)
    actor Place {
      func note(in places: Recorder<ThreadIdentity>) { places.record(.current) }
    }
    Task(executorPreference: executor) {
      places.record(.current)
      let place = Place()
      await place.note(in: places)
      async let bound: Void = place.note(in: places)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { places.record(.current) } }
      }
      await bound
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      async let sent: Void = {
        for number in 0..<3 {
          continuation.yield(number)
          await Task.yield()
          places.record(.current)
        }
        continuation.finish()
      }()
      for await _ in stream { places.record(.current) }
      await sent
      let cancelled = Task(executorPreference: executor) {
        await withTaskCancellationHandler {
          await Gate().wait()
          places.record(.current)
        } onCancel: {
          places.record(.current)
        }
      }
      await Task.yield()
      cancelled.cancel()
      await cancelled.value
      places.record(.current)
      ended.value = true
    }
    // A thread of its own, which no pool uses.
    let thread = await runOnThread {
      executor.runUntilIdle()
      return ThreadIdentity.current
    }
    // Had anything left, it would not be over yet, or have been somewhere else.
    #expect(ended.value)
    #expect(executor.isIdle)
    #expect(places.count == 1 + 1 + 1 + 3 + 3 + 3 + 2 + 1)
    #expect(places.values.allSatisfy { $0 == thread })
  }

  @Test func `T5: jobs run one at a time, when told, and are counted`() {
    let executor = DeterministicExecutor()
    #expect(executor.isIdle)
    #expect(!executor.runOne())
    let steps = Recorder<Int>()
    for step in 1...2 { Task(executorPreference: executor) { steps.record(step) } }
    #expect(steps.values == [])
    #expect(!executor.isIdle)
    #expect(executor.runOne())
    #expect(steps.values == [1])
    #expect(!executor.isIdle)
    #expect(executor.runCount == 1)
    #expect(executor.runOne())
    #expect(steps.values == [1, 2])
    #expect(executor.isIdle)
    #expect(!executor.runOne())
    #expect(executor.runCount == 2)
    #expect(executor.runUntilIdle())
    #expect(executor.runCount == 2)
  }

  @Test func `T5: a job that tells the executor to run is told that it does already`() {
    let executor = DeterministicExecutor()
    let answers = Recorder<Bool>()
    Task(executorPreference: executor) {
      answers.record(executor.isIdle)
      answers.record(executor.runOne())
      answers.record(executor.runUntilIdle())
    }
    Task(executorPreference: executor) { answers.record(true) }
    executor.runUntilIdle()
    #expect(answers.values == [false, false, false, true])
  }

  @Test func `T5: a task on it that drains it goes on when all others can run no further`() {
    let executor = DeterministicExecutor()
    let order = Recorder<String>()
    Task(executorPreference: executor) {
      await executor.drain()
      order.record("first drained")
      Task(executorPreference: executor) { order.record("made by the first") }
      await executor.drain()
      order.record("first drained again")
    }
    Task(executorPreference: executor) {
      await executor.drain()
      order.record("second drained")
    }
    Task(executorPreference: executor) {
      for round in 1...3 {
        order.record("other \(round)")
        await Task.yield()
      }
    }
    executor.runUntilIdle()
    #expect(
      order.values == [
        "other 1", "other 2", "other 3", "first drained", "made by the first", "second drained",
        "first drained again",
      ])
    #expect(executor.isIdle)
  }

  @Test func `T5: a drain runs what there is, or waits for the thread that runs it`() async {
    let executor = DeterministicExecutor()
    let order = Recorder<String>()
    let isRunning = Gate()
    let mayGoOn = ThreadGate()
    Task(executorPreference: executor) {
      isRunning.open()
      mayGoOn.wait()
      order.record("held")
    }
    Task(executorPreference: executor) { order.record("next") }
    async let running = runOnThread { executor.runUntilIdle() }
    await isRunning.wait()
    #expect(!executor.runOne())
    let draining = startedTask {
      await executor.drain()
      order.record("drained")
    }
    mayGoOn.open()
    await draining.value
    #expect(await running)
    #expect(order.values == ["held", "next", "drained"])
    Task(executorPreference: executor) { order.record("alone") }
    await executor.drain()
    #expect(order.values.last == "alone")
  }

  @Test func `T5: one that drains while single jobs are run waits for the last of them`() async {
    let executor = DeterministicExecutor()
    let order = Recorder<String>()
    Task(executorPreference: executor) {
      await executor.drain()
      order.record("drained")
    }
    Task(executorPreference: executor) { order.record("other") }
    #expect(executor.runOne())
    #expect(executor.runOne())
    #expect(executor.runOne())
    #expect(order.values == ["other", "drained"])
    #expect(executor.isIdle)
  }

  @Test func `T5: jobs from other threads are taken while it runs`() async {
    let executor = DeterministicExecutor()
    let runs = Recorder<Int>()
    let perThread = scaled(10_000)
    async let making: Void = runOnThreads(4) { thread in
      for number in 0..<perThread {
        Task(executorPreference: executor) { runs.record(thread * perThread + number) }
      }
    }
    while runs.count < 4 * perThread {
      #expect(await executor.waitForJob(timeout: .seconds(120)))
      executor.runUntilIdle()
    }
    await making
    #expect(Set(runs.values).count == 4 * perThread)
    #expect(executor.runCount == 4 * perThread)
  }

  @Test func `T5: what left it comes back as a job, for which one can wait`() async {
    let executor = DeterministicExecutor()
    let places = Recorder<String>()
    let (outside, again) = (Gate(), Gate())
    let task = Task(executorPreference: executor) {
      places.record("before")
      await outside.wait()
      places.record("after the gate")
      await again.wait()
      places.record("after the other gate")
    }
    executor.runUntilIdle()
    #expect(places.values == ["before"])
    #expect(executor.isIdle)
    #expect(await !executor.waitForJob(timeout: .milliseconds(1)))
    async let opening: Void = runOnThread { outside.open() }
    #expect(await executor.waitForJob(timeout: .seconds(120)))
    // One that waits already is no reason to wait.
    #expect(await executor.waitForJob(timeout: .zero))
    await opening
    executor.runUntilIdle()
    #expect(places.values == ["before", "after the gate"])
    again.open()
    #expect(await executor.waitForJob(timeout: .seconds(120)))
    executor.runUntilIdle()
    #expect(places.values.last == "after the other gate")
    await task.value
  }

  @Test func `T5: waiting for a job ends when the task is cancelled`() async {
    let executor = DeterministicExecutor()
    let waiting = startedTask { await executor.waitForJob(timeout: .seconds(3_600)) }
    waiting.cancel()
    #expect(await !waiting.value)
  }
}
