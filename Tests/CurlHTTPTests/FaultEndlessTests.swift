import CurlHTTP
import TestSupport
import Testing

/// What never ends, or ends only long after anybody waits for it.
@Suite(.timeLimit(.minutes(5)))
struct FaultEndlessTests {
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "X-More: and more\r\n"),
    ("HTTP/1.1 200 OK\r\nX-Long: ", "and more "),
    ("HTTP/1.1 200 ", "and more "),
    ("HTTP/1.1 200 OK\r\nX-Folded: a\r\n", " and more\r\n"),
    ("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    ("", "HTTP/1.1 100 Continue\r\n\r\n"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-Trailer: and more\r\n"),
  ])
  func `H4: a head that never ends is refused at the limit of headers`(
    start: String, again: String
  ) async throws {
    try await withSharedServer { test in
      let request = test.endlessRequest(start, again: again)
      let outcome = await test.outcome(of: request)
      #expect(Expected(outcome) == .failure(.headersTooLarge(limit: 65_536)))
      // The same for a stream, whose head is all that `stream` waits for.
      let error = await #expect(throws: HTTPClientError.self) {
        let body = try await test.client.stream(request).body
        _ = try await body.collect(upTo: .max)
      }
      #expect(error?.kind == .headersTooLarge(limit: 65_536))
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n",
  ])
  func `H4: a body that never ends is refused at the limit of the body`(start: String) async throws
  {
    try await withSharedServer { test in
      let limits = HTTPLimits.patient(bodySize: 1_000_000)
      let request = test.endlessRequest(start, again: "and more ", limits: limits)
      let outcome = await test.outcome(of: request)
      #expect(Expected(outcome) == .failure(.bodyTooLarge(limit: 1_000_000)))
    }
  }

  @Test(arguments: ["", "4", "4;"])
  func `H4: a chunk size or extension that never ends is an error`(start: String) async throws {
    try await withSharedServer { test in
      let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      // Bounded in time, since a limit of nothing else is said to end it.
      let limits = HTTPLimits.patient(total: .seconds(3))
      let request = test.endlessRequest(
        head + start, again: start.hasSuffix(";") ? "x" : "0", limits: limits)
      let outcome = await test.outcome(of: request)
      #expect(throws: HTTPClientError.self) { try outcome.get() }
      if !start.hasSuffix(";") { #expect(Expected(outcome) == .broken(.notHTTP)) }
    }
  }

  @Test(arguments: ["head", "body"])
  func `H3: a response that trickles is not idle, and the total limit ends it`(part: String)
    async throws
  {
    try await withSharedServer { test in
      // Of the two limits the idle one would fire first if what trickles did not count.
      let limits = HTTPLimits.patient(idle: .seconds(8), total: .seconds(10))
      let error = await test.failure(of: .get, "trickle/\(part)", limits: limits)
      guard case .timedOut(.total, after: .seconds(10), let bytes) = error?.kind else {
        Issue.record("It was not the total limit: \(error?.description ?? "a response")")
        return
      }
      #expect(part == "head" ? bytes == 0 : bytes > 0)
    }
  }

  @Test func `H1: fifty interim responses are skipped, and the final one is the response`()
    async throws
  {
    try await withSharedServer { test in
      let outcome = try await test.wire(
        String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 50)
          + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
      #expect(Expected(outcome) == .body("body"))
    }
  }
}

extension ServedTest {
  /// A request that is answered with a text, and then with another again and again.
  fileprivate func endlessRequest(
    _ start: String, again: String, limits: HTTPLimits? = nil
  ) -> HTTPRequest {
    let url = base.appending(path: "endless").appending(segment: start)
      .appending(query: ["again": again])
    return HTTPRequest(.get, url, limits: limits)
  }
}
