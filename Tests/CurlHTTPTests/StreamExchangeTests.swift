import TestSupport
import Testing

@testable import CurlHTTP

/// Streams go through redirects and retries like what is collected; what is uploaded does not.
@Suite(.timeLimit(.minutes(5)))
struct StreamExchangeTests {
  private let limits = HTTPLimits.patient()

  /// A body of one piece, and how often somebody began to read it.
  private struct Once: AsyncSequence, Sendable {
    let begun: Recorder<Int>
    let piece: [UInt8]

    func makeAsyncIterator() -> AsyncStream<[UInt8]>.Iterator {
      begun.record(begun.count + 1)
      return AsyncStream { [piece] continuation in
        continuation.yield(piece)
        continuation.finish()
      }.makeAsyncIterator()
    }
  }

  private func withPolicies(_ body: (ServedTest) async throws -> Void) async throws {
    try await withServer(
      configuration: .init(
        limits: limits, connectionsPerHost: 1, retries: HTTPRetries(baseDelay: .zero)), body)
  }

  private func redirect(_ test: ServedTest, _ status: Int, to target: String) -> HTTPURL {
    test.base.appending(path: "redirect-to/\(status)").appending(query: ["to": target])
  }

  @Test func `H6: a stream is redirected before its body is handed on`() async throws {
    try await withPolicies { test in
      let response = try await test.client.stream(
        HTTPRequest(.get, redirect(test, 302, to: "/bytes/1024")))
      #expect(response.status == 200)
      #expect(response.url?.path == "/bytes/1024")
      let body = try await response.body.collect(upTo: 2_000)
      #expect(body.count == 1_024)
    }
  }

  @Test func `H7: a stream is tried again until its headers have come, and holds one connection`()
    async throws
  {
    try await withPolicies { test in
      let url = test.base.appending(path: "flaky/s")
        .appending(query: ["fail": "2", "status": "503", "retry_after": "0"])
      let response = try await test.client.stream(HTTPRequest(.get, url))
      #expect(response.status == 200)
      _ = try await response.body.collect(upTo: 10_000)
      #expect(try await test.log(of: "/flaky/s").count == 3)
    }
  }

  @Test func `H7: what fails after the headers of a stream is not tried again`() async throws {
    try await withPolicies { test in
      let response = try await test.client.stream(
        HTTPRequest(.get, test.base.appending(path: "cut")))
      let error = await #expect(throws: HTTPClientError.self) {
        try await response.body.collect(upTo: 1_000)
      }
      #expect(error?.kind == .brokenResponse(.truncated))
      #expect(try await test.log(of: "/cut").count == 1)
    }
  }

  @Test(arguments: [307, 302])
  func `H6: an upload is sent once, and its redirect is the response`(status: Int) async throws {
    try await withPolicies { test in
      let source = Once(begun: Recorder(), piece: [1, 2, 3])
      let response = try await test.client.send(
        HTTPRequest(.put, redirect(test, status, to: "/echo")), uploading: source)
      #expect(response.status == status)
      #expect(response.url?.path == "/redirect-to/\(status)")
      #expect(source.begun.count == 1)
      #expect(try await test.log(of: "/echo") == [])
    }
  }

  @Test(arguments: [302, 307, 413, 503])
  func `H1: an answer that ends the sending comes at once, though the source is silent`(
    status: Int
  ) async throws {
    try await withPolicies { test in
      // One piece, and then nothing until the reading is cancelled.
      let (source, input) = AsyncStream.makeStream(of: [UInt8].self)
      input.yield([1])
      let url = test.base.appending(path: "unread-early/\(status)")
      let sent = try await test.client.send(HTTPRequest(.post, url), uploading: source)
      #expect(sent.status == status)
      #expect(sent.text == "early")

      let (another, more) = AsyncStream.makeStream(of: [UInt8].self)
      more.yield([1])
      let streamed = try await test.client.stream(HTTPRequest(.post, url), uploading: another)
      #expect(streamed.status == status)
      let body = try await streamed.body.collect(upTo: 100)
      #expect(body == [UInt8]("early".utf8))
      withExtendedLifetime((input, more)) {}
    }
  }

  @Test func `H1: a source that fails before the request is begun is what the caller learns`()
    async throws
  {
    struct Broken: Error {}
    let loop = TransferLoop(configuration: .patient())
    let order = TransferOrder(
      HTTPRequest(.post, try HTTPURL("http://127.0.0.1:1/")),
      upload: RequestBodyBuffer(length: nil))
    let id = try loop.reserve(order).get()
    loop.submit(.upload(id, .failed(.thrown(Broken()))))
    let thread = try #require(LoopThread { loop.run() })
    let error = await loop.perform(id, order.request).error
    #expect(error?.kind == .uploadFailed)
    #expect(error?.cause is Broken)
    loop.stop()
    await loop.waitUntilClosed()
    thread.join()
  }

  @Test func `H7: an upload that fails is not tried again`() async throws {
    try await withPolicies { test in
      let source = Once(begun: Recorder(), piece: [1, 2, 3])
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(
          HTTPRequest(
            .post, test.base.appending(path: "empty"), headers: ["Idempotency-Key": "k"]),
          uploading: source, length: 3)
      }
      #expect(error?.attempts == 1)
      #expect(source.begun.count == 1)
      let log = try await test.log(of: "/empty")
      #expect(log.count == 1)
    }
  }
}
