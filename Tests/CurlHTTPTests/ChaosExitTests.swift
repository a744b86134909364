import Foundation
import TestSupport
import Testing

@testable import CurlHTTP

/// Leaving the process in the middle of whatever a client does.
///
/// `MILLRACE_CHAOS_EXITS` is how many processes leave in each way.
@Suite(.timeLimit(.minutes(60)))
struct ChaosExitTests {
  /// What the client is in the middle of.
  enum Middle: String, CaseIterable, Codable, CustomTestStringConvertible {
    case sending, streaming, uploading, uploadingOverTLS, streamingOverTLS, shuttingDown

    var testDescription: String { rawValue }

    var isOverTLS: Bool { rawValue.hasSuffix("TLS") }
  }

  private static let count =
    ProcessInfo.processInfo.environment["MILLRACE_CHAOS_EXITS"].flatMap { Int($0) } ?? 3

  /// The thread sanitizer ends a process that leaves while its client shuts down with a code of its
  /// own, and without a report.
  private static let middles = Middle.allCases.filter { !isThreadSanitized || $0 != .shuttingDown }

  @Test(arguments: middles)
  func `H13: leaving the process in the middle of anything never crashes`(middle: Middle)
    async throws
  {
    try await withTemporaryDirectory { directory in
      let certificates = try await Certificates(in: directory)
      let pair = try await certificates.signed("exit", hosts: "IP:127.0.0.1")
      let arguments = middle.isOverTLS ? pair.arguments : []
      try await PythonServer.run("fault_server", arguments) { server in
        for _ in 0..<Self.count {
          _ = await #expect(processExitsWith: .exitCode(7)) {
            [
              port = server.port as Int, authority = certificates.authority as String,
              middle = middle as Middle,
            ] in
            let client = HTTPClient(
              configuration: .patient(certificateAuthorityFile: authority))
            let base = try HTTPURL("\(middle.isOverTLS ? "https" : "http")://127.0.0.1:\(port)")
            await withTaskGroup(of: Void.self) { group in
              for _ in 0..<8 {
                group.addTask { while true { try? await Self.use(client, base, middle) } }
              }
              // Once one has come back, others are somewhere in the middle.
              try? await Self.use(client, base, middle)
              if middle == .shuttingDown { group.addTask { await client.shutdown() } }
              exit(7)
            }
          }
        }
      }
    }
  }

  private static func use(
    _ client: HTTPClient, _ base: HTTPURL, _ middle: Middle
  ) async throws {
    switch middle {
    case .sending, .shuttingDown:
      _ = try await client.send(HTTPRequest(.post, base.appending(path: "ok"), body: [1]))
    case .streaming, .streamingOverTLS:
      let url = base.appending(path: "flood/2000000")
      for try await _ in try await client.stream(HTTPRequest(.get, url)).body {}
    case .uploading, .uploadingOverTLS:
      let pieces = AsyncStream { continuation in
        for _ in 0..<50 { continuation.yield([UInt8](repeating: 1, count: 20_000)) }
        continuation.finish()
      }
      let url = base.appending(path: "unread-count")
      _ = try await client.send(HTTPRequest(.post, url), uploading: pieces)
    }
  }
}
