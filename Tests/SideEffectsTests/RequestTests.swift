import Middleware
import SideEffects
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
  private struct Refused: Error, Equatable {
    var reason: String
  }

  private enum Square: RequestAction, Equatable {
    case request(Int), success(Int), failure(Refused)
    var input: Int? { if case .request(let number) = self { number } else { nil } }
  }

  private enum Ping: RequestAction, Equatable {
    case request, success(String), failure(Refused)
    var input: Void? { if case .request = self { () } else { nil } }
  }

  private struct Seen: Sendable {
    var squares: [Square] = []
    var pings: [Ping] = []
  }

  private func makeStore(
    _ items: MiddlewareItem..., links: [Middleware<Seen>] = [],
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = { Issue.record("unexpected: \($0)") }
  ) -> Store<Seen> {
    Store(
      initialState: Seen(),
      reducer: .combine(
        .on(Square.self) { seen, action in seen.squares.append(action) },
        .on(Ping.self) { seen, action in seen.pings.append(action) }),
      middleware: links + [createMiddleware(items: items)], diagnostics: diagnostics)
  }

  @Test func `E29: a request makes the call with its input and dispatches success`() async {
    let store = makeStore(
      .request(Square.self) { number throws(Refused) in
        await Task.yield()
        return number * number
      })
    await store.dispatch(Square.request(3)).finish()
    #expect(store.state.squares == [.request(3), .success(9)])
  }

  @Test func `E23: a request whose call throws dispatches failure with that error`() async {
    let store = makeStore(
      .request(Square.self) { number throws(Refused) in throw Refused(reason: "not \(number)") },
      .on(EffectFailed.self) { _, _ in Issue.record("the failure was an action already") })
    await store.dispatch(Square.request(3)).finish()
    #expect(store.state.squares == [.request(3), .failure(Refused(reason: "not 3"))])
  }

  @Test func `E29: success and failure start no request and cancel none`() async {
    let gate = Gate()
    let calls = Recorder<Void>()
    let store = makeStore(
      .request(Ping.self, .latest) { () throws(Refused) in
        calls.record(())
        await gate.wait()
        return "pong"
      })
    let handle = store.dispatch(Ping.request)
    store.dispatch(Ping.success("early"))
    store.dispatch(Ping.failure(Refused(reason: "early")))
    gate.open()
    await handle.finish()
    #expect(calls.count == 1)
    #expect(store.state.pings.last == .success("pong"))
  }

  @Test(arguments: [true, false])
  func `E6: a cancelled request dispatches neither success nor failure`(fails: Bool) async {
    let diagnostics = Recorder<Diagnostic>()
    let store = makeStore(
      .request(Ping.self, name: "ping") { () throws(Refused) in
        await Gate().wait()
        if fails { throw Refused(reason: "cancelled") }
        return "late"
      },
      diagnostics: { diagnostics.record($0) })
    let handle = store.dispatch(Ping.request)
    store.cancelEffects(.named("ping"))
    await handle.finish()
    #expect(store.state.pings == [.request])
    #expect(diagnostics.values.allSatisfy { $0.severity == .notice })
  }

  @Test func `E30: requests are kept apart by the key of their input`() async {
    let gate = Gate()
    let store = makeStore(
      .request(Square.self, key: { $0 % 2 }, .latest) { number throws(Refused) in
        await gate.wait()
        return number * number
      },
      diagnostics: { _ in })
    for number in 1...4 { store.dispatch(Square.request(number)) }
    gate.open()
    await store.idle()
    let answers = store.state.squares.dropFirst(4)
    #expect(answers.count == 2)
    #expect(answers.contains(.success(9)) && answers.contains(.success(16)))
  }

  @Test func `S15: an answer is said to come from the line that made the request's effect`() async {
    let sources = Recorder<String>()
    let store = makeStore(
      .request(Ping.self, fileID: "App/Effects.swift", line: 12) { () throws(Refused) in "pong" },
      links: [
        Middleware { action, context, next in
          if case .success? = action as? Ping { sources.record("\(context.identity.source)") }
          return next(action)
        }
      ])
    await store.dispatch(Ping.request).finish()
    #expect(sources.values == ["App/Effects.swift:12"])
  }
}
