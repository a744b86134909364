import Foundation
import TestSupport
import Testing

@testable import CurlHTTP

/// Leaving the process while the loop thread is in the middle of something.
@Suite(.timeLimit(.minutes(5)))
struct ProcessExitTests {
  // OpenSSL's tables were freed under the thread that used them in about one of five such exits.
  @Test func `H13: leaving the process in the middle of TLS never crashes`() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try await Certificates(in: directory)
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      // Every connection reads its authorities anew. With many of them the loop thread is inside of
      // OpenSSL nearly all of the time.
      let authority = try String(contentsOfFile: certificates.authority, encoding: .utf8)
      let authorities = directory + "/many.pem"
      try String(repeating: authority, count: 100)
        .write(toFile: authorities, atomically: true, encoding: .utf8)
      try await PythonServer.run("fault_server", pair.arguments) { server in
        for _ in 0..<20 {
          _ = await #expect(processExitsWith: .exitCode(7)) {
            [port = server.port as Int, authorities = authorities as String] in
            let client = HTTPClient(configuration: .patient(certificateAuthorityFile: authorities))
            let url = try HTTPURL("https://127.0.0.1:\(port)/ok")
            await withTaskGroup(of: Void.self) { group in
              for _ in 0..<8 {
                group.addTask {
                  // A POST makes a connection of its own.
                  while true { _ = try? await client.send(HTTPRequest(.post, url)) }
                }
              }
              // Once one has come back, others are somewhere in the middle.
              _ = try? await client.send(HTTPRequest(.get, url))
              exit(7)
            }
          }
        }
      }
    }
  }

  @Test func `H13: leaving the process in the middle of streams, both ways, never crashes`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let certificates = try await Certificates(in: directory)
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await PythonServer.run("fault_server", pair.arguments) { server in
        for _ in 0..<15 {
          _ = await #expect(processExitsWith: .exitCode(7)) {
            [port = server.port as Int, authority = certificates.authority as String] in
            let client = HTTPClient(configuration: .patient(certificateAuthorityFile: authority))
            let base = try HTTPURL("https://127.0.0.1:\(port)")
            await withTaskGroup(of: Void.self) { group in
              for _ in 0..<3 {
                group.addTask {
                  let request = HTTPRequest(.get, base.appending(path: "flood/1000000000"))
                  guard let body = try? await client.stream(request).body else { return }
                  do { for try await _ in body {} } catch {}
                }
                group.addTask {
                  let source = AsyncStream<[UInt8]> { [UInt8](repeating: 1, count: 65_536) }
                  let request = HTTPRequest(.post, base.appending(path: "unread-count"))
                  _ = try? await client.send(request, uploading: source)
                }
              }
              // Once this has come back, the others are somewhere in the middle.
              _ = try? await client.send(HTTPRequest(.get, base.appending(path: "ok")))
              exit(7)
            }
          }
        }
      }
    }
  }
}
