import CurlHTTP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .needs("nghttpd", package: "nghttp2-server"))
struct HTTP2Tests {
  @Test func `H12: many requests at once share the connection that the first of them makes`()
    async throws
  {
    try await withHTTP2 { client, base in
      let metrics = try await fetch(100, from: base.appending(path: "small"), client)
      #expect(metrics.allSatisfy { $0.version == .http2 })
      #expect(metrics.count { !$0.reusedConnection } == 1)
    }
  }

  // libcurl would read nothing more from the connection while the stream is paused.
  @Test func `H12: a stream is not asked for in HTTP/2, which this server alone speaks`()
    async throws
  {
    try await withHTTP2 { client, base in
      let error = await #expect(throws: HTTPClientError.self) {
        try await client.stream(HTTPRequest(.get, base.appending(path: "small")))
      }
      #expect(error?.kind == .brokenResponse(.empty))
      // And after that, what can share a connection still does.
      let metrics = try await fetch(20, from: base.appending(path: "small"), client)
      #expect(metrics.count { !$0.reusedConnection } == 1)
    }
  }

  @Test func `H1: a body is streamed over HTTP/2 as well, of known length and unknown`()
    async throws
  {
    try await withHTTP2(["--echo-upload"]) { client, base in
      let pieces = (0..<40).map { [UInt8](repeating: $0, count: 10_000) }
      for length in [400_000, nil] {
        let source = AsyncStream { continuation in
          for piece in pieces { continuation.yield(piece) }
          continuation.finish()
        }
        let response = try await client.send(
          HTTPRequest(.post, base.appending(path: "echo")), uploading: source, length: length)
        #expect(response.body == pieces.flatMap { $0 })
        #expect(response.metrics?.version == .http2)
      }
    }
  }

  // libcurl 7.88 sometimes reads nothing more from a connection of which a stream was removed. The
  // idle limit is what ends the others then.
  @Test func `H3, H10: after cancels the others on the connection end, by the idle limit at worst`()
    async throws
  {
    try await withHTTP2 { client, base in
      _ = try await client.send(HTTPRequest(.get, base.appending(path: "small")))
      let request = HTTPRequest(
        .get, base.appending(path: "large"), limits: .patient(idle: .seconds(5)))
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<20 {
          let task = Task { try await client.send(request) }
          group.addTask {
            if index.isMultiple(of: 2) { task.cancel() }
            switch await task.result {
            case .success(let response):
              #expect(response.body.count == 8_000_000)
            case .failure(let error):
              let kind = (error as? HTTPClientError)?.kind
              if case .timedOut(.idle, _, _) = kind { break }
              #expect(index.isMultiple(of: 2) && kind == .cancelled)
            }
          }
        }
      }
      let next = try await client.send(HTTPRequest(.get, base.appending(path: "small")))
      #expect(next.text == "small")
    }
  }

  private func fetch(
    _ count: Int, from url: HTTPURL, _ client: HTTPClient
  ) async throws -> [HTTPMetrics] {
    try await withThrowingTaskGroup(of: HTTPMetrics?.self) { group in
      for _ in 0..<count {
        group.addTask { try await client.send(HTTPRequest(.get, url)).metrics }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
  }

  private func withHTTP2(
    _ options: [String] = [], connectionsPerHost: Int = 8,
    _ body: (HTTPClient, HTTPURL) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try await Certificates(in: directory)
      let pair = try await certificates.signed("h2", hosts: "IP:127.0.0.1")
      let root = directory + "/root"
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
      try Data("small".utf8).write(to: URL(fileURLWithPath: root + "/small"))
      try Data(repeating: 7, count: 8_000_000).write(to: URL(fileURLWithPath: root + "/large"))
      let arguments = [pair.certificate, pair.key, root] + options
      try await PythonServer.run("http2_server", arguments) { server in
        let client = HTTPClient(
          configuration: .patient(
            connectionsPerHost: connectionsPerHost,
            certificateAuthorityFile: certificates.authority))
        do { try await body(client, HTTPURL("https://127.0.0.1:\(server.port)")) } catch {
          await client.shutdown()
          throw error
        }
        await client.shutdown()
      }
    }
  }
}
