import Middleware
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InjectServiceTests {
  final class Clock: Sendable {
    let name: String
    init(name: String) { self.name = name }
  }
  struct Printer: Sendable { let out: Recorder<String> }

  @Test func `M3: every receiver is given the service`() {
    // Given
    let given = Recorder<ObjectIdentifier>()
    @Sendable func maker(_ number: Int) -> @Sendable (Clock) -> MiddlewareItem {
      { clock in
        given.record(ObjectIdentifier(clock))
        return .on(Increment.self) { _, dispatch in dispatch(Note("\(clock.name) \(number)")) }
      }
    }
    let receivers: ServiceReceivers<Clock, MiddlewareItem> = [maker(0), maker(1), maker(2)]
    let clock = Clock(name: "clock")

    // When
    let store = makeJournal(items: injectService(clock, into: receivers))
    store.dispatch(Increment())

    // Then
    #expect(given.values == Array(repeating: ObjectIdentifier(clock), count: 3))
    #expect(store.state.notes == ["clock 0", "clock 1", "clock 2"])
  }

  @Test func `M3: lists made with two services are added and keep their order`() {
    let out = Recorder<String>()
    let timed: ServiceReceivers<Clock, MiddlewareItem> = [
      { clock in .on(Increment.self) { _, _ in out.record("at \(clock.name)") } }
    ]
    let printed: ServiceReceivers<Printer, MiddlewareItem> = [
      { printer in .on(Increment.self) { _, _ in printer.out.record("printed") } }
    ]

    let store = makeJournal(
      items: injectService(Clock(name: "noon"), into: timed)
        + injectService(Printer(out: out), into: printed))
    store.dispatch(Increment())

    #expect(out.values == ["at noon", "printed"])
  }

  @Test func `M3: a maker that needs two services is given one after the other`() {
    let out = Recorder<String>()
    let makers: ServiceReceivers<Clock, @Sendable (Printer) -> MiddlewareItem> = [
      { clock in { printer in .on(Note.self) { _, _ in printer.out.record(clock.name) } } }
    ]

    let store = makeJournal(
      items: injectService(
        Printer(out: out), into: injectService(Clock(name: "noon"), into: makers)))
    store.dispatch(Note("A"))

    #expect(out.values == ["noon"])
  }

  @Test func `M3: makers of items that read the state are given services the same way`() {
    let makers: ServiceReceivers<Clock, StateItem<Journal>> = [
      { clock in
        .on(Increment.self, reading: \.count) { _, dispatch, count in
          dispatch(Note("\(clock.name) \(count() ?? -1)"))
        }
      }
    ]

    let store = makeJournal(middleware: [
      createMiddleware(items: injectService(Clock(name: "noon"), into: makers))
    ])
    store.dispatch(Increment())

    #expect(store.state.notes == ["noon 1"])
  }

  @Test func `M3: makers that take any service of a protocol are given one of either type`() {
    // Given makers whose list an array would convert at run time, which stops the program
    let makers: ServiceReceivers<any Greeter, MiddlewareItem> = [greet, greet]
    let existential: any Greeter = Polite()

    // When
    let store = makeJournal(
      items: injectService(Polite(), into: makers) + injectService(existential, into: makers)
        + injectService(Polite(), into: [greet]))
    store.dispatch(Increment())

    // Then
    #expect(store.state.notes == Array(repeating: "good day", count: 5))
  }

  @Test func `M3: lists of makers are added`() {
    let makers: ServiceReceivers<any Greeter, MiddlewareItem> = [greet]

    let store = makeJournal(items: injectService(Polite(), into: makers + [greet]))
    store.dispatch(Increment())

    #expect(store.state.notes == ["good day", "good day"])
  }
}

private protocol Greeter: Sendable { var greeting: String { get } }
private struct Polite: Greeter { var greeting: String { "good day" } }

private func greet(greeter: any Greeter) -> MiddlewareItem {
  .on(Increment.self) { _, dispatch in dispatch(Note(greeter.greeting)) }
}
