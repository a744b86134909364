import Store
import Testing

@testable import StoreTesting

struct AssertedStepsTests {
  @Test func `T1: the next step to receive is the first that was not asserted`() {
    var steps = AssertedSteps()
    #expect(steps.next == 0)
    steps.insert(0)
    #expect(steps.next == 1)
  }

  @Test func `T1: a step asserted ahead of others is passed over when they were`() {
    var steps = AssertedSteps()
    steps.insert(2)
    steps.insert(3)
    #expect(steps.next == 0)
    #expect((0...4).map { steps.contains($0) } == [false, false, true, true, false])
    steps.insert(0)
    #expect(steps.next == 1)
    steps.insert(1)
    #expect(steps.next == 4)
    steps.insert(1)
    #expect(steps.next == 4)
    #expect((0...4).map { steps.contains($0) } == [true, true, true, true, false])
  }

  @Test func `T1: a handle tells the number of its dispatch, with links and without`() {
    let passing = Middleware<CounterState> { action, _, next in next(action) }
    for links in [[], [passing]] {
      let store = Store(
        initialState: CounterState(), reducer: counterReducer, middleware: links)
      #expect((1...3).map { _ in store.dispatch(Counter.increment).number } == [1, 2, 3])
    }
  }
}
