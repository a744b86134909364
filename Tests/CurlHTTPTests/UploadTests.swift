import CurlHTTP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UploadTests {
  struct SourceError: Error, Equatable, CustomStringConvertible {
    var description: String { "the disk is gone" }
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `H1: a streamed body of known length arrives whole, with its length`(method: HTTPMethod)
    async throws
  {
    try await withSharedServer { test in
      let response = try await test.client.send(
        test.request(method, "echo"), uploading: pieces("one ", "two ", "three"), length: 13)
      let request = try response.echoed()
      #expect(request.method == method.rawValue)
      #expect(request.body == "one two three")
      #expect(request.values(of: "Content-Length") == ["13"])
      #expect(request.values(of: "Transfer-Encoding") == [])
      #expect(request.values(of: "Expect") == [])
      #expect(request.values(of: "Content-Type") == [])
    }
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `H1: a streamed body of unknown length arrives in chunks`(method: HTTPMethod) async throws {
    try await withSharedServer { test in
      let response = try await test.client.send(
        test.request(method, "echo"), uploading: pieces("one ", "", "two ", "three"))
      let request = try response.echoed()
      #expect(request.method == method.rawValue)
      #expect(request.body == "one two three")
      #expect(request.values(of: "Content-Length") == [])
      #expect(request.values(of: "Transfer-Encoding") == ["chunked"])
    }
  }

  @Test(arguments: [0, nil]) func `H1: a streamed body may be empty`(length: Int?) async throws {
    try await withSharedServer { test in
      let response = try await test.client.send(
        test.request(.post, "echo"), uploading: pieces(), length: length)
      #expect(try response.echoed().body == "")
    }
  }

  @Test(arguments: [true, false])
  func `H1: a large body arrives as it was given, in pieces of any size`(isKnown: Bool) async throws
  {
    try await withSharedServer { test in
      let sizes = [1, 700_000, 16_384, 3, 65_536, 262_144, 1_000_000, 65_537]
      let source = AsyncStream { continuation in
        for size in sizes { continuation.yield([UInt8](repeating: UInt8(size % 251), count: size)) }
        continuation.finish()
      }
      let size = sizes.reduce(0, +)
      let response = try await test.client.send(
        test.request(.put, "unread-count"), uploading: source, length: isKnown ? size : nil)
      let counted = try JSONDecoder().decode([String: Int].self, from: Data(response.body))
      #expect(counted["bytes"] == size)
      let whole = sizes.flatMap { [UInt8](repeating: UInt8($0 % 251), count: $0) }
      let collected = try await test.send(.put, "unread-count", body: whole)
      #expect(response.body == collected.body)
    }
  }

  @Test func `H1: a source is not read further ahead than its buffer`() async throws {
    try await withServer { test in
      // Given a server that reads nothing, and pieces of 64 KiB
      let count = Box(0)
      let piece = [UInt8](repeating: 1, count: 65_536)
      let isFull = Gate()
      let source = AsyncStream<[UInt8]> {
        count.value += 1
        if count.value > 3 { isFull.open() }
        return piece
      }
      let request = test.request(.post, "unread-never/k")
      let task = Task { try await test.client.send(request, uploading: source) }
      _ = try await test.log(of: "/unread-never/k", count: 1)
      await isFull.wait()
      // When the server goes away
      try await test.release("k")
      await #expect(throws: HTTPClientError.self) { try await task.value }
      // Then no more was asked for than the client and the system hold: they hold some megabytes.
      #expect(count.value < 1024)
    }
  }

  @Test func `H1: both bodies stream at once`() async throws {
    try await withServer { test in
      let (source, continuation) = AsyncStream<[UInt8]>.makeStream()
      continuation.yield([0x61])
      let response = try await test.client.stream(
        test.request(.post, "unread-first"), uploading: source)
      let iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next() == [0x61])
      // Each byte is given after the one before it has come back.
      for byte in [UInt8](0x62...0x6F) {
        continuation.yield([byte])
        #expect(try await iterator.next() == [byte])
      }
      continuation.finish()
      #expect(try await iterator.next() == nil)
    }
  }

  @Test(arguments: [(["abc"], 4), (["abcde"], 4), (["abcd", "e"], 4), ([], 1), (["a"], 0)])
  func `H1: a source that gives too few or too many bytes is an error, and nothing is cut`(
    parts: [String], announced: Int
  ) async throws {
    try await withServer { test in
      let given = parts.joined().utf8.count
      let source = AsyncStream { continuation in
        for part in parts { continuation.yield([UInt8](part.utf8)) }
        continuation.finish()
      }
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(
          test.request(.post, "echo"), uploading: source, length: announced)
      }
      #expect(error?.kind == .uploadHasWrongLength(announced: announced, given: given))
      #expect(error?.isTransient == false)
      // The server would have written a whole request down.
      let open = try await test.openConnections(atMost: 0)
      #expect(open == 0)
      #expect(try await test.log(of: "/echo") == [])
    }
  }

  @Test(arguments: [3, nil])
  func `H1: an error of the source ends the request and is kept`(length: Int?) async throws {
    try await withServer { test in
      let (source, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
      continuation.yield([0x61])
      continuation.finish(throwing: SourceError())
      let error = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(
          test.request(.post, "echo"), uploading: source, length: length)
      }
      #expect(error?.kind == .uploadFailed)
      #expect(error?.cause as? SourceError == SourceError())
      #expect(error?.description.contains("It said: the disk is gone.") == true)
      let open = try await test.openConnections(atMost: 0)
      #expect(open == 0)
      #expect(try await test.log(of: "/echo") == [])
    }
  }

  @Test func `H1: a server may answer before the body was sent`() async throws {
    try await withServer { test in
      for length in [100_000_000, nil] {
        // Given a source that gives a little and then nothing more
        let (source, continuation) = AsyncStream<[UInt8]>.makeStream()
        continuation.yield([UInt8](repeating: 1, count: 1000))
        let response = try await test.client.send(
          test.request(.post, "unread-refused"), uploading: source, length: length)
        #expect(response.status == 413)
        #expect(response.text == "too large")
        continuation.finish()
      }
      // And one that gives all it can
      let source = AsyncStream<[UInt8]> { [UInt8](repeating: 1, count: 65_536) }
      let response = try await test.client.send(
        test.request(.post, "unread-refused"), uploading: source)
      #expect(response.status == 413)
    }
  }

  @Test func `H2: a body that no request can have is refused before anything is read`()
    async throws
  {
    let client = HTTPClient.patient
    let url = try HTTPURL("http://127.0.0.1:1")
    for (request, length, reason) in [
      (HTTPRequest(.get, url), nil, "A GET request cannot have a body."),
      (
        HTTPRequest(.post, url, body: [1]), nil,
        "The request has a body and is to be given another; leave its own empty."
      ),
      (
        HTTPRequest(.post, url), -1,
        "A body of -1 bytes was announced; for an unknown length announce none."
      ),
    ] as [(HTTPRequest, Int?, String)] {
      let source = AsyncStream<[UInt8]> {
        Issue.record("The source was read.")
        return nil
      }
      let error = await #expect(throws: HTTPClientError.self) {
        try await client.send(request, uploading: source, length: length)
      }
      #expect(error?.kind == .invalidRequest(reason))
    }
    await client.shutdown()
  }

  @Test func `H7: a streamed body never goes out on a connection that was used before`()
    async throws
  {
    try await withServer { test in
      _ = try await test.send(.get, "ok")
      let path = "close-after-post-on-reused-connection"
      for method in [HTTPMethod.put, .post] {
        var request = test.request(method, path)
        request.headers["Idempotency-Key"] = "7"
        let response = try await test.client.send(request, uploading: pieces("body"), length: 4)
        #expect(response.status == 200)
      }
      #expect(try await test.log(of: "/" + path).count == 2)
    }
  }

  @Test func `H10: cancelling ends an upload and the reading of its source`() async throws {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      for length in [1_000_000, nil] {
        let ended = Gate()
        let (source, continuation) = AsyncStream<[UInt8]>.makeStream()
        continuation.onTermination = { _ in ended.open() }
        continuation.yield([1])
        let request = test.request(.post, "unread-never/k")
        let task = Task { try await test.client.send(request, uploading: source, length: length) }
        _ = try await test.log(of: "/unread-never/k", count: length == nil ? 2 : 1)
        task.cancel()
        let error = await #expect(throws: HTTPClientError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        await ended.wait()
        #expect(try await test.send(.get, "ok").text == "ok")
      }
    }
  }

  @Test func `H10: an upload that waits for a slot is cancelled, and its source is let go`()
    async throws
  {
    try await withServer(configuration: .patient(connectionsPerHost: 1)) { test in
      async let first = test.send(.get, "hold/a")
      _ = try await test.log(of: "/hold/a", count: 1)
      let ended = Gate()
      let (source, continuation) = AsyncStream<[UInt8]>.makeStream()
      continuation.onTermination = { _ in ended.open() }
      let request = test.request(.post, "echo")
      let task = startedTask { () -> HTTPClientError.Kind? in
        do throws(HTTPClientError) {
          _ = try await test.client.send(request, uploading: source)
          return nil
        } catch { return error.kind }
      }
      task.cancel()
      #expect(await task.value == .cancelled)
      await ended.wait()
      try await test.release("a")
      #expect(try await first.text == "a")
    }
  }

  @Test func `H13: shutting down ends uploads, their sources and their streams`() async throws {
    try await withServer { test in
      let ended = Gate()
      let (source, continuation) = AsyncStream<[UInt8]>.makeStream()
      continuation.onTermination = { _ in ended.open() }
      continuation.yield([0x61])
      let response = try await test.client.stream(
        test.request(.post, "unread-first"), uploading: source)
      let iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next() == [0x61])
      await test.client.shutdown()
      let error = await #expect(throws: HTTPClientError.self) { try await iterator.next() }
      #expect(error?.kind == .clientShutDown)
      await ended.wait()
      #expect(try await test.openConnections(atMost: 0) == 0)
      // What comes later reads its source as little as it sends it.
      let late = AsyncStream<[UInt8]> {
        Issue.record("The source was read.")
        return nil
      }
      let refused = await #expect(throws: HTTPClientError.self) {
        try await test.client.send(test.request(.post, "echo"), uploading: late)
      }
      #expect(refused?.kind == .clientShutDown)
    }
  }

  private func pieces(_ texts: String...) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      for text in texts { continuation.yield([UInt8](text.utf8)) }
      continuation.finish()
    }
  }
}

extension ServedTest {
  fileprivate func request(_ method: HTTPMethod, _ path: String) -> HTTPRequest {
    HTTPRequest(method, base.appending(path: path))
  }
}
