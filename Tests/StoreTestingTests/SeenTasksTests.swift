import SideEffects
import Store
import Testing

@testable import StoreTesting

/// What is known of tasks by their jobs and their waits, without any task.
@Suite struct SeenTasksTests {
  private let tasks = (1...3).map { TaskIdentity(address: UInt($0)) }
  private let owners = (1...3).map { TaskOwner(run: UInt64($0), of: effects) }
  private var seen = SeenTasks()

  private static let effects =
    Store(initialState: CounterState(), reducer: counterReducer, middleware: []).effects

  private func sight(_ owner: Int, asleep: [TaskIdentity: Duration] = [:]) -> SeenTasks.Sight? {
    seen.sights(asleep: asleep)[owners[owner]]
  }

  @Test mutating func `T3: a task of the library is asleep while it waits for the library`() {
    seen.begin(tasks[0], of: owners[0])
    #expect(sight(0) == SeenTasks.Sight(isAsleep: false, isOutside: true))
    seen.beginWait(.library, of: tasks[0], owner: nil)
    seen.beginWait(.library, of: tasks[0], owner: nil)
    seen.endWait(of: tasks[0])
    #expect(sight(0) == SeenTasks.Sight())
    seen.endWait(of: tasks[0])
    #expect(sight(0)?.isAsleep == false)
    seen.end(tasks[0])
    #expect(sight(0) == nil)
  }

  @Test mutating func `T3: a task that sleeps on the clock is asleep until it is due`() {
    for task in tasks[...1] { seen.begin(task, of: owners[0]) }
    #expect(
      sight(0, asleep: [tasks[0]: .seconds(2), tasks[1]: .seconds(1)])
        == SeenTasks.Sight(due: [.seconds(1), .seconds(2)]))
    #expect(sight(0, asleep: [tasks[0]: .seconds(2)])?.isOutside == true)
  }

  @Test mutating func `T3: a task works for who made it, whoever resumes it`() {
    seen.enqueue(tasks[0], by: owners[0]) { 1 }
    seen.enqueue(tasks[0], by: owners[1]) { 1 }
    #expect(sight(0) == SeenTasks.Sight(isAsleep: false, mayBeOutside: true))
    #expect(sight(1) == nil)
    seen.enqueue(tasks[1], by: nil) { 2 }
    seen.enqueue(tasks[1], by: owners[1]) { 2 }
    #expect(sight(1) == nil)
  }

  @Test mutating func `T3: a task at the address of another shows that this has ended`() {
    seen.enqueue(tasks[0], by: owners[0]) { 1 }
    seen.enqueue(tasks[0], by: owners[1]) { 2 }
    #expect(sight(0) == nil)
    #expect(sight(1)?.mayBeOutside == true)
    seen.begin(tasks[0], of: owners[2])
    seen.enqueue(tasks[0], by: owners[1]) { 3 }
    #expect(sight(1) == nil)
    #expect(sight(2)?.isOutside == true)
  }

  @Test mutating func `T3: the job of an actor is no task`() {
    seen.enqueue(tasks[0], by: owners[0]) { nil }
    #expect(sight(0) == nil)
  }

  @Test mutating func `T3: a task is seen that waits for the library before a job of it comes`() {
    seen.beginWait(.library, of: tasks[0], owner: owners[0])
    #expect(sight(0) == SeenTasks.Sight())
    seen.enqueue(tasks[0], by: owners[1]) { 1 }
    seen.endWait(of: tasks[0])
    #expect(sight(0)?.mayBeOutside == true)
    #expect(sight(1) == nil)
    // The end of a wait that nobody saw begin is none.
    seen.endWait(of: tasks[1])
  }

  @Test mutating func `T3: who waits for a call is asleep while all its tasks are`() {
    // Given a run that waits for a call, which waits for another
    for (task, owner) in zip(tasks, owners) { seen.begin(task, of: owner) }
    seen.beginWait(.unknownCall, of: tasks[0], owner: nil)
    #expect(sight(0) == SeenTasks.Sight(isAsleep: false))
    seen.beginWait(.call(owners[1]), of: tasks[0], owner: nil)
    seen.beginWait(.call(owners[2]), of: tasks[1], owner: nil)
    #expect(sight(0)?.isAsleep == false)
    seen.beginWait(.library, of: tasks[2], owner: nil)
    #expect(sight(0) == SeenTasks.Sight())
    // One that has no task has not begun, or is over.
    seen.end(tasks[2])
    #expect(sight(0)?.isAsleep == false)
  }
}
