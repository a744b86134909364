import Testing

@testable import CurlHTTP

@Suite
struct LoopInboxTests {
  private let request: HTTPRequest

  init() throws { request = HTTPRequest(.get, try HTTPURL("http://h")) }

  @Test func `a command wakes a loop that polls, and only the first does`() {
    var inbox = LoopInbox()
    #expect(inbox.preparesToPoll() == true)
    #expect(inbox.submit(.cancel(1)) == .wake)
    #expect(inbox.submit(.cancel(2)) == .none)
    let taken = inbox.take()
    #expect(taken.commands.count == 2)
    #expect(inbox.submit(.cancel(3)) == .none)
  }

  @Test func `a command that came before the poll keeps the loop from polling`() {
    var inbox = LoopInbox()
    #expect(inbox.submit(.cancel(1)) == .none)
    #expect(inbox.preparesToPoll() == false)
    _ = inbox.take()
    #expect(inbox.preparesToPoll() == true)
  }

  @Test func `identities grow, and commands keep their order`() throws {
    var inbox = LoopInbox()
    let first = inbox.reserve(TransferOrder(request))
    let second = inbox.reserve(TransferOrder(request))
    #expect(first == .success(1))
    #expect(second == .success(2))
    _ = inbox.submit(.cancel(2))
    let kinds = inbox.take().commands.map { command in
      switch command {
      case .reserve(let id, _): "reserve \(id)"
      case .wait(let id, _): "wait \(id)"
      case .cancel(let id): "cancel \(id)"
      case .resume(let id): "resume \(id)"
      case .upload(let id, _): "upload \(id)"
      }
    }
    #expect(kinds == ["reserve 1", "reserve 2", "cancel 2"])
    let rest = inbox.take()
    #expect(rest.commands.isEmpty)
  }

  @Test func `H13: after stop, nothing is taken and the loop does not poll`() {
    var inbox = LoopInbox()
    _ = inbox.submit(.cancel(1))
    #expect(inbox.stop() == .none)
    #expect(inbox.submit(.cancel(2)) == .refuse(.clientShutDown))
    #expect(inbox.preparesToPoll() == false)
    let (commands, isStopping) = inbox.take()
    #expect(commands.count == 1)
    #expect(isStopping)
    #expect(!inbox.isClosed)
  }

  @Test func `H13: stop wakes a loop that polls, once`() {
    var inbox = LoopInbox()
    #expect(inbox.preparesToPoll() == true)
    #expect(inbox.stop() == .wake)
    #expect(inbox.stop() == .none)
  }

  @Test func `H13: after close, the reason of the end is the reason of every refusal`() {
    var inbox = LoopInbox()
    _ = inbox.submit(.cancel(1))
    let left = inbox.close(.internalFailure("no thread"))
    #expect(left.count == 1)
    #expect(inbox.isClosed)
    #expect(inbox.submit(.cancel(2)) == .refuse(.internalFailure("no thread")))
    let refused = inbox.reserve(TransferOrder(request))
    #expect(
      refused == .failure(HTTPClientError(.internalFailure("no thread"), request: request)))
    #expect(inbox.stop() == .none)
    let taken = inbox.take()
    #expect(taken.isStopping)
  }
}
