import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct HTTPClientErrorTests {
  @Test func `H11: a refused connection says what failed, why, and what to do`() async throws {
    let server = try await PythonServer("fault_server")
    await server.stop()
    let client = HTTPClient.patient
    let text = "http://user:hunter2@127.0.0.1:\(server.port)/posts?token=abc"
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(HTTPRequest(.post, HTTPURL(text)))
    }
    await client.shutdown()
    #expect(error?.kind == .couldNotConnect(host: "127.0.0.1"))
    #expect(error?.libcurlCode == 7)
    #expect(error?.mayHaveReachedServer == false)
    #expect(error?.isTransient == true)
    let description = try #require(error?.description)
    #expect(
      description.hasPrefix(
        "POST http://127.0.0.1:\(server.port)/posts?token=*** failed: no connection to 127.0.0.1. "
          + "Check that the server runs there, on that port, and that no firewall or proxy stands "
          + "between. libcurl said: Failed to connect to 127.0.0.1 port \(server.port)"))
    #expect(description.hasSuffix("code 7."))
  }

  @Test func `H11: a host that does not exist is named`() async throws {
    let client = HTTPClient.patient
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(HTTPRequest(.get, HTTPURL("http://no-such-host.invalid/")))
    }
    await client.shutdown()
    #expect(error?.kind == .couldNotResolve(host: "no-such-host.invalid"))
  }

  @Test func `H11: a POST that may have arrived says so`() async throws {
    try await withServer { test in
      let error = await test.failure(of: .post, "reset", body: [1])
      let description = error?.description ?? ""
      #expect(description.contains("the connection was lost on the way."))
      #expect(
        description.hasSuffix("The server may have carried it out; look before sending it again."))
      let get = await test.failure(of: .get, "reset")
      #expect(get?.description.contains("carried it out") == false)
    }
  }

  @Test(arguments: [
    (5, HTTPClientError.Kind.couldNotResolve(host: "h")),
    (6, .couldNotResolve(host: "h")),
    (7, .couldNotConnect(host: "h")),
    (16, .connectionLost),
    (18, .brokenResponse(.truncated)),
    (23, .brokenResponse(.undecodable)),
    (27, .headersTooLarge(limit: 65_536)),
    (35, .tls(.handshake)),
    (52, .brokenResponse(.empty)),
    (55, .connectionLost),
    (56, .connectionLost),
    (61, .brokenResponse(.undecodable)),
    (63, .bodyTooLarge(limit: 16_777_216)),
    (77, .tls(.authorityFileUnusable)),
    (92, .connectionLost),
    (3, .internalFailure("libcurl ended the transfer in a way that was not expected")),
  ])
  func `H11: each result of libcurl has a kind`(code: Int, kind: HTTPClientError.Kind) throws {
    #expect(try error(TransferOutcome(code: code)).kind == kind)
  }

  @Test(arguments: [
    (9, HTTPClientError.TLSFailure.notYetValid), (10, .expired), (18, .selfSigned),
    (19, .selfSigned), (20, .unknownAuthority), (23, .revoked), (62, .wrongHost), (1, .other),
  ])
  func `H8: each doubt about a certificate has a name`(
    result: Int, failure: HTTPClientError.TLSFailure
  ) throws {
    let error = try error(TransferOutcome(code: 60, verifyResult: result))
    #expect(error.kind == .tls(failure))
  }

  @Test func `H5: a malformed line is the server's fault, and ours before any response`() throws {
    let server = TransferOutcome(code: 43, responseBegan: true)
    #expect(try error(server).kind == .brokenResponse(.notHTTP))
    let client = TransferOutcome(code: 43)
    #expect(
      try error(client).kind
        == .internalFailure("libcurl ended the transfer in a way that was not expected"))
  }

  @Test func `H3: giving up earlier than the limit is not the limit`() throws {
    // The system's own limit for a connection ends in the same code.
    let early = TransferOutcome(code: 28, elapsed: .seconds(2))
    #expect(try error(early).kind == .couldNotConnect(host: "h"))
    let late = TransferOutcome(code: 28, elapsed: .seconds(10))
    #expect(
      try error(late).kind == .timedOut(.connect, after: .seconds(10), bytesReceived: 0))
  }

  @Test func `H11: control characters of a message do not reach the reader's terminal`() throws {
    let outcome = TransferOutcome(code: 35, message: "bad \u{1B}[2J\u{202E}\r\nname")
    let description = try error(outcome).description
    #expect(description.contains("bad \\u{1B}[2J\\u{202E}\\u{D}\\u{A}name"))
    #expect(description.utf8.allSatisfy { !$0.isControlByte })
  }

  @Test func `H11: every kind reads as sentences`() throws {
    let kinds: [HTTPClientError.Kind] = [
      .invalidHeader(name: "X", reason: "the name is empty"),
      .invalidRequest("A GET request cannot have a body."),
      .couldNotResolve(host: "h"), .couldNotConnect(host: "h"), .tls(.expired),
      .tls(.notYetValid), .tls(.wrongHost), .tls(.selfSigned), .tls(.unknownAuthority),
      .tls(.revoked), .tls(.authorityFileUnusable), .tls(.handshake), .tls(.other),
      .timedOut(.connect, after: .seconds(10), bytesReceived: 0),
      .timedOut(.idle, after: .seconds(15), bytesReceived: 3),
      .timedOut(.total, after: .milliseconds(1500), bytesReceived: 3), .bodyTooLarge(limit: 5),
      .headersTooLarge(limit: 5), .brokenResponse(.empty), .brokenResponse(.truncated),
      .brokenResponse(.conflictingLengths), .brokenResponse(.notHTTP),
      .brokenResponse(.undecodable), .connectionLost, .uploadFailed,
      .uploadHasWrongLength(announced: 5, given: 3), .uploadHasWrongLength(announced: 5, given: 9),
      .bodyReadTwice, .cancelled, .clientShutDown, .internalFailure("libcurl refused URL"),
    ]
    let request = HTTPRequest(.get, try HTTPURL("http://h/"))
    for kind in kinds {
      let text = HTTPClientError(kind, request: request).description
      #expect(text.hasPrefix("GET http://h/ failed: "))
      #expect(text.hasSuffix("."))
      #expect(!text.contains("..") && !text.contains("  "))
    }
    #expect(
      HTTPClientError(
        .timedOut(.total, after: .milliseconds(1500), bytesReceived: 3), request: request
      ).description
        == "GET http://h/ failed: it was not done after 1.5 seconds, the total limit; 3 bytes of "
        + "the body had come. The server or the network is slow; allow more time, or ask for less.")
  }

  private func error(_ outcome: TransferOutcome) throws -> HTTPClientError {
    let request = HTTPRequest(.get, try HTTPURL("http://h/"))
    return HTTPClientError(outcome, of: TransferOrder(request), limits: HTTPLimits())
  }
}
