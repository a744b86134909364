import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
  @Test func `H14: a response says where its time went and what it moved`() async throws {
    try await withServer { test in
      let first = try #require(
        try await test.send(.post, "echo", headers: ["Idempotency-Key": "1"], body: [1, 2]).metrics)
      #expect(first.version == .http1_1)
      #expect(!first.reusedConnection)
      #expect(first.connect > .zero)
      #expect(first.tls == .zero)
      #expect(first.nameLookup + first.connect <= first.firstByte)
      #expect(first.firstByte <= first.total)
      // "POST /echo HTTP/1.1", the blank line and the body are in every count of it.
      #expect(first.bytesSent > 25)
      let second = try #require(try await test.send(.get, "bytes/1024").metrics)
      #expect(second.reusedConnection)
      #expect(second.nameLookup == .zero && second.connect == .zero && second.tls == .zero)
      #expect(second.firstByte > .zero)
      #expect(
        second.bytesReceived == 1024 + "HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n".utf8.count)
    }
  }

  @Test func `H14: bytes are counted as they were on the wire, both ways`() async throws {
    try await withSharedServer { test in
      let compressed = try #require(try await test.send(.get, "gzip-flood/1000000").metrics)
      #expect(compressed.bytesReceived < 20_000)
      let body = [UInt8](repeating: 1, count: 300_000)
      let sent = try #require(try await test.send(.put, "unread-count", body: body).metrics)
      #expect((300_000..<301_000).contains(sent.bytesSent))
      let source = AsyncStream { continuation in
        continuation.yield(body)
        continuation.finish()
      }
      let url = test.base.appending(path: "unread-count")
      let streamed = try await test.client.send(
        HTTPRequest(.put, url), uploading: source, length: body.count)
      #expect((300_000..<301_000).contains(streamed.metrics?.bytesSent ?? 0))
    }
  }

  @Test func `H14: the TLS handshake has its own time`() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try await Certificates(in: directory)
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await withServer(
        pair.arguments,
        configuration: .patient(certificateAuthorityFile: certificates.authority),
        base: { "https://127.0.0.1:\($0.port)" }
      ) { test in
        let metrics = try #require(try await test.send(.get, "ok").metrics)
        #expect(metrics.tls > .zero)
        #expect(metrics.nameLookup + metrics.connect + metrics.tls <= metrics.firstByte)
      }
    }
  }

  @Test func `H14: a stream is measured up to its headers`() async throws {
    try await withServer { test in
      let response = try await test.stream("steps/k/ab")
      let metrics = try #require(response.metrics)
      #expect(metrics.version == .http1_1)
      #expect(metrics.firstByte > .zero)
      #expect(metrics.bytesReceived > 0)
      try await test.release("kb")
      try await test.release("kend")
    }
  }

  @Test func `H14: a request that fails was measured as well`() async throws {
    try await withSharedServer { test in
      let cut = await test.failure(of: .get, "cut")
      #expect(cut?.metrics?.version == .http1_1)
      #expect(cut?.metrics?.bytesReceived ?? 0 > 0)
      let empty = await test.failure(of: .get, "empty")
      #expect(empty?.metrics?.version == nil)
      #expect(empty?.metrics?.bytesSent ?? 0 > 0)
      #expect(empty?.metrics?.reusedConnection == false || empty?.metrics?.connect == .zero)
    }
    let client = HTTPClient.patient
    await client.shutdown()
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(HTTPRequest(.get, HTTPURL("http://127.0.0.1:1")))
    }
    #expect(error?.metrics == nil)
  }

  @Test func `H14: phases follow each other, and are zero on a connection that was used before`() {
    func metrics(newConnections: Int) -> HTTPMetrics {
      HTTPMetrics(
        nameLookupEnd: 10, connectEnd: 30, tlsEnd: 60, firstByte: 100, total: 150, bytesSent: 1,
        bytesReceived: 2, newConnections: newConnections, version: .http2)
    }
    let new = metrics(newConnections: 1)
    #expect(new.nameLookup == .microseconds(10))
    #expect(new.connect == .microseconds(20))
    #expect(new.tls == .microseconds(30))
    #expect(new.firstByte == .microseconds(100))
    #expect(!new.reusedConnection)
    let reused = metrics(newConnections: 0)
    #expect(reused.nameLookup == .zero && reused.connect == .zero && reused.tls == .zero)
    #expect(reused.reusedConnection)
    #expect(
      "\(reused)" == "HTTP/2, reused connection, name 0.0 seconds, connect 0.0 seconds, "
        + "TLS 0.0 seconds, first byte 0.0001 seconds, total 0.00015 seconds, 1 bytes sent, "
        + "2 received")
  }

  @Test func `H14: what was measured, and what a source threw, count for nothing in a comparison`()
    throws
  {
    struct Cause: Error {}
    let plain = HTTPClientError(.uploadFailed)
    var other = plain
    other.cause = Cause()
    #expect(plain == other)
    #expect(plain.hashValue == other.hashValue)
    #expect(other.cause is Cause)
  }
}
