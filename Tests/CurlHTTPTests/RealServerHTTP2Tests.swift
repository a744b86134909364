import CurlHTTP
import Foundation
import TestSupport
import Testing

/// What a server of HTTP/2 may do to requests that share a connection.
@Suite(.timeLimit(.minutes(5)), .needs("nginx", package: "nginx-light"))
struct RealServerHTTP2Tests {
  @Test func `H12: a connection that the server gives up loses no request`() async throws {
    // nginx sends GOAWAY after so many requests, while others are on their way.
    try await withHTTP2("keepalive_requests 30;") { client, base in
      for _ in 0..<5 {
        let outcomes = await fetch(200, from: base.appending(path: "small"), client)
        let failures = outcomes.compactMap {
          if case .failure(let error) = $0 { error } else { nil }
        }
        #expect(failures == [])
        let responses = try outcomes.map { try $0.get() }
        #expect(responses.allSatisfy { $0.text == "small" })
        #expect(responses.allSatisfy { $0.metrics?.version == .http2 })
      }
    }
  }

  @Test func `H12: refused streams go to other connections`() async throws {
    try await withHTTP2("http2_max_concurrent_streams 3;") { client, base in
      let outcomes = await fetch(200, from: base.appending(path: "text.txt"), client)
      let sizes = try outcomes.map { try $0.get().body.count }
      #expect(sizes == [Int](repeating: 200_000, count: 200))
    }
  }

  @Test func `H1: an upload that is too large is answered with 413 over HTTP 2`() async throws {
    try await withHTTP2("client_max_body_size 100k; dav_methods PUT;") { client, base in
      let url = base.appending(path: "small")
      let body = [UInt8](repeating: 1, count: 3_000_000)
      for _ in 0..<5 {
        let response = try await client.send(HTTPRequest(.put, url, body: body))
        #expect(response.status == 413)
        let source = AsyncStream<[UInt8]> { [UInt8](body.prefix(50_000)) }
        let streamed = try await client.send(HTTPRequest(.put, url), uploading: source)
        #expect(streamed.status == 413)
        let next = try await client.send(HTTPRequest(.get, url))
        #expect(next.text == "small")
      }
    }
  }

  @Test func `H10: cancels, a stream each, leave the others alone`() async throws {
    try await withHTTP2("limit_rate 2m;") { client, base in
      let url = base.appending(path: "text.txt")
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<150 {
          group.addTask {
            let task = Task { () -> Result<Int, HTTPClientError> in
              do throws(HTTPClientError) {
                return .success(try await client.send(HTTPRequest(.get, url)).body.count)
              } catch { return .failure(error) }
            }
            if index.isMultiple(of: 3) { task.cancel() }
            switch await task.value {
            case .success(let count): #expect(count == 200_000)
            case .failure(let error):
              #expect(error.kind == .cancelled && index.isMultiple(of: 3), "\(error)")
            }
          }
        }
      }
    }
  }

  private func fetch(
    _ count: Int, from url: HTTPURL, _ client: HTTPClient
  ) async -> [Result<HTTPResponse, HTTPClientError>] {
    await withTaskGroup(of: Result<HTTPResponse, HTTPClientError>.self) { group in
      for _ in 0..<count {
        group.addTask {
          do throws(HTTPClientError) {
            return .success(try await client.send(HTTPRequest(.get, url)))
          } catch { return .failure(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func withHTTP2(
    _ option: String, _ body: (HTTPClient, HTTPURL) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { certificatesDirectory in
      let certificates = try await Certificates(in: certificatesDirectory)
      let pair = try await certificates.signed("h2", hosts: "IP:127.0.0.1")
      let keys = "ssl_certificate \(pair.certificate); ssl_certificate_key \(pair.key);"
      try await SystemServer.run(
        "nginx", ["-e", "stderr", "-c", "{configuration}"],
        configuration: { directory in
          let root = directory + "/root"
          try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
          try Data("small".utf8).write(to: URL(fileURLWithPath: root + "/small"))
          try Data(repeating: 0x61, count: 200_000)
            .write(to: URL(fileURLWithPath: root + "/text.txt"))
          return NginxConfiguration.text(
            directory: directory, listen: "ssl http2", option: keys + option)
        }
      ) { server in
        let client = HTTPClient(
          configuration: .patient(certificateAuthorityFile: certificates.authority))
        do { try await body(client, try HTTPURL("https://127.0.0.1:\(server.port)")) } catch {
          await client.shutdown()
          throw error
        }
        await client.shutdown()
      }
    }
  }
}
