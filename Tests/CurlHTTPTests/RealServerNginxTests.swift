import CurlHTTP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .needs("nginx", package: "nginx-light"))
struct RealServerNginxTests {
  private static let text = (0..<20_000).map { "line \($0)\n" }.joined()
  private static let largeSize = 40_000_000

  @Test func `H5: nginx compresses in chunks, and the text is the file's`() async throws {
    try await withNginx { client, base in
      for _ in 0..<3 {
        let response = try await client.send(HTTPRequest(.get, base.appending(path: "text.txt")))
        #expect(response.headers["Content-Encoding"] == "gzip")
        #expect(response.headers["Transfer-Encoding"] == "chunked")
        #expect(response.text == Self.text)
        let received = try #require(response.metrics?.bytesReceived)
        #expect(received < Self.text.utf8.count / 2)
      }
      let head = try await client.send(HTTPRequest(.head, base.appending(path: "text.txt")))
      #expect(head.status == 200)
      #expect(head.body == [])
    }
  }

  @Test func `H12: a connection that nginx ends after some requests is replaced`() async throws {
    try await withNginx("keepalive_requests 10;") { client, base in
      var fresh = 0
      for _ in 0..<100 {
        let response = try await client.send(HTTPRequest(.get, base.appending(path: "small")))
        #expect(response.text == "small")
        if response.metrics?.reusedConnection == false { fresh += 1 }
      }
      // More of them if one was idle for long, on a machine that has much else to do.
      #expect(fresh >= 10 && fresh < 50)
      // And many at once, as each connection comes to its end under the others.
      let texts = try await fetch(500, from: base.appending(path: "small"), client)
      #expect(texts.allSatisfy { $0 == "small" })
    }
  }

  @Test func `H1: a large file streams whole, and HEAD tells its size`() async throws {
    try await withNginx { client, base in
      let url = base.appending(path: "large.bin")
      let head = try await client.send(HTTPRequest(.head, url))
      #expect(head.headers["Content-Length"] == "\(Self.largeSize)")
      let response = try await client.stream(HTTPRequest(.get, url))
      var count = 0
      for try await bytes in response.body {
        #expect(bytes.allSatisfy { $0 == 7 })
        count += bytes.count
      }
      #expect(count == Self.largeSize)
      let error = await #expect(throws: HTTPClientError.self) {
        try await client.send(HTTPRequest(.get, url))
      }
      #expect(error?.kind == .bodyTooLarge(limit: 16_777_216))
    }
  }

  @Test func `H1: a range is given as 206, and ignored it is 200`() async throws {
    for (option, status, text) in [("", 206, "mal"), ("max_ranges 0;", 200, "small")] {
      try await withNginx(option) { client, base in
        let request = HTTPRequest(
          .get, base.appending(path: "small"), headers: ["Range": "bytes=1-3"])
        let response = try await client.send(request)
        #expect(response.status == status)
        #expect(response.text == text)
      }
    }
  }

  @Test(arguments: [150_000, 20_000_000])
  func `H1: an upload that nginx finds too large is answered with 413`(size: Int) async throws {
    try await withNginx("client_max_body_size 100k; dav_methods PUT;") { client, base in
      let url = base.appending(path: "small")
      let body = [UInt8](repeating: 1, count: size)
      for method in [HTTPMethod.post, .put, .post, .put] {
        let collected = try await client.send(HTTPRequest(method, url, body: body))
        #expect(collected.status == 413)
        for length in [size, nil] {
          let source = AsyncStream { continuation in
            for _ in 0..<(size / 10_000) { continuation.yield([UInt8](body.prefix(10_000))) }
            continuation.finish()
          }
          let streamed = try await client.send(
            HTTPRequest(.put, url), uploading: source, length: length)
          #expect(streamed.status == 413)
        }
        let next = try await client.send(HTTPRequest(.get, url))
        #expect(next.text == "small")
      }
    }
  }

  @Test func `H12: who keeps to a server's number of connections is not refused`() async throws {
    try await withNginx(
      "limit_conn all 2; limit_rate 4m;", configuration: .patient(connectionsPerHost: 2)
    ) { client, base in
      let texts = try await fetch(30, from: base.appending(path: "text.txt"), client)
      #expect(texts.allSatisfy { $0 == Self.text })
    }
  }

  @Test func `H1: what nginx calls wrong is a response`() async throws {
    try await withNginx { client, base in
      let url = base.appending(path: "small")
      for (request, status) in [
        (HTTPRequest(.get, base.appending(path: "none")), 404),
        (HTTPRequest(.post, url), 405),
        (HTTPRequest(.get, url, headers: ["Host": "a b"]), 400),
        (HTTPRequest(.get, url, headers: ["X": String(repeating: "a", count: 60_000)]), 400),
        (HTTPRequest(.get, base.appending(segment: String(repeating: "a", count: 60_000))), 414),
      ] {
        let response = try await client.send(request)
        #expect(response.status == status)
        let next = try await client.send(HTTPRequest(.get, url))
        #expect(next.text == "small")
      }
    }
  }

  private func fetch(
    _ count: Int, from url: HTTPURL, _ client: HTTPClient
  ) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<count { group.addTask { try await client.send(HTTPRequest(.get, url)).text } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Runs nginx with some files and an option of its own for its server.
  private func withNginx(
    _ option: String = "", configuration: HTTPClient.Configuration = .patient(),
    _ body: (HTTPClient, HTTPURL) async throws -> Void
  ) async throws {
    try await SystemServer.run(
      "nginx", ["-e", "stderr", "-c", "{configuration}"],
      configuration: { directory in
        let root = directory + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        try Data("small".utf8).write(to: URL(fileURLWithPath: root + "/small"))
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: root + "/text.txt"))
        try Data(repeating: 7, count: Self.largeSize)
          .write(to: URL(fileURLWithPath: root + "/large.bin"))
        return NginxConfiguration.text(directory: directory, option: option)
      }
    ) { server in
      let client = HTTPClient(configuration: configuration)
      do { try await body(client, try HTTPURL(server.baseURL)) } catch {
        await client.shutdown()
        throw error
      }
      await client.shutdown()
    }
  }
}
