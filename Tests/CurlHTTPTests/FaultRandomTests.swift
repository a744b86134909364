import Foundation
import TestSupport
import Testing

@testable import CurlHTTP

/// Responses with random damage, which no table could list.
///
/// `MILLRACE_CHAOS_RESPONSES` is how many there are, `MILLRACE_CHAOS_SEED` the seed.
@Suite(.timeLimit(.minutes(60)))
struct FaultRandomTests {
  private static func setting<Value: LosslessStringConvertible>(_ name: String) -> Value? {
    ProcessInfo.processInfo.environment["MILLRACE_CHAOS_" + name].flatMap(Value.init)
  }

  /// Whole responses of every shape, to be damaged.
  private static let samples = [
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-A: 1\r\n\r\nbody",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\nX-T: 1\r\n\r\n",
    "HTTP/1.0 200 OK\r\n\r\nbody until the end",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
      + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
    "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n\u{0}\u{4}",
    "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 2\r\n\r\nno",
    "HTTP/1.1 302 Found\r\nLocation: /ok\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX-Long: a\r\n b\r\n\tc\r\nContent-Length: 1\r\nSet-Cookie: a=b\r\n\r\nx",
  ].map { [UInt8]($0.utf8) }

  /// What damage often consists of.
  private static let parts = [
    "\r\n", "\n", "\r", "\r\n\r\n", " ", ":", "\u{0}", "HTTP/1.1 200 OK\r\n", "HTTP/1.1", "HTTP/2",
    "Content-Length: 9\r\n", "Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n",
    "0\r\n",
    "ffffffff", "-1", "\t", "HTTP/1.1 101 X\r\n\r\n", "HTTP/1.1 100 X\r\n\r\n",
  ].map { [UInt8]($0.utf8) }

  private static func damaged(_ random: inout SplitMix64) -> [UInt8] {
    var bytes = samples.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, position + Int.random(in: 1...8, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[position] = .random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(position..<end)
      case 2: bytes.insert(contentsOf: bytes[position..<end], at: position)
      case 3: bytes.insert(contentsOf: parts.randomElement(using: &random) ?? [], at: position)
      case 4: bytes.removeSubrange(position...)
      default: bytes += samples.randomElement(using: &random) ?? []
      }
    }
    return bytes
  }

  @Test func `H5: a response with any damage ends in a response or an error of a kind`()
    async throws
  {
    let seed: UInt64 = Self.setting("SEED") ?? .random(in: 0..<1_000_000)
    let count: Int = Self.setting("RESPONSES") ?? (isThreadSanitized ? 300 : 1_500)
    print("damage: MILLRACE_CHAOS_SEED=\(seed)")
    try await PythonServer.run("fault_server") { server in
      // In a process of its own, which a trap would end.
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        [port = server.port as Int, seed = seed as UInt64, count = count as Int] in
        try await Self.send(count, seed: seed, port: port)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(!text.contains("Fatal error"), "\(text)")
    }
  }

  private static func send(_ count: Int, seed: UInt64, port: Int) async throws {
    let client = HTTPClient.patient
    let base = try HTTPURL("http://127.0.0.1:\(port)")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= 16 { try await group.next() }
        group.addTask {
          var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
          let bytes = damaged(&random)
          let request = try wireRequest(
            bytes, then: "close", base: base,
            method: [.get, .head, .put].randomElement(using: &random) ?? .get)
          let isStreamed = Bool.random(using: &random)
          do {
            if isStreamed {
              _ = try await client.stream(request).body.collect(upTo: .max)
            } else {
              _ = try await client.send(request)
            }
          } catch let error as HTTPClientError {
            #expect(
              isPossible(error.kind),
              "\(number): \(error) \(String(decoding: bytes, as: UTF8.self).debugDescription)")
          }
        }
      }
    }
    let next = try await client.send(HTTPRequest(.get, base.appending(path: "ok")))
    #expect(next.text == "ok")
    await client.shutdown()
  }

  private static func isPossible(_ kind: HTTPClientError.Kind) -> Bool {
    switch kind {
    case .brokenResponse, .connectionLost, .bodyTooLarge, .headersTooLarge: true
    default: false
    }
  }
}
