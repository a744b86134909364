import CurlHTTP
import TestSupport
import Testing

/// Bodies in encodings: chained, ill-formed, with something missing or something more.
@Suite(.timeLimit(.minutes(5)))
struct FaultEncodingTests {
  /// The text `body` in the encodings, as their tools make it.
  private static let gzip: [UInt8] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x4B, 0xCA, 0x4F, 0xA9, 4, 0, 0xB2, 0x0B, 0xA8, 0xDB, 4,
    0, 0, 0,
  ]
  private static let zlib: [UInt8] = [0x78, 0x9C, 0x4B, 0xCA, 0x4F, 0xA9, 4, 0, 4, 0x1A, 1, 0xAF]
  private static let deflate: [UInt8] = [0x4B, 0xCA, 0x4F, 0xA9, 4, 0]
  /// One block of four bytes that are not compressed.
  private static let brotli: [UInt8] = [0x8B, 1, 0x80] + [UInt8]("body".utf8) + [3]
  private static let zstandard: [UInt8] =
    [0x28, 0xB5, 0x2F, 0xFD, 0x20, 4, 0x21, 0, 0] + [UInt8]("body".utf8)

  /// The text `body` in gzip, in gzip.
  private static let twice: [UInt8] = storedGzip(gzip)

  /// A gzip file that holds the bytes as they are.
  private static func storedGzip(_ bytes: [UInt8]) -> [UInt8] {
    func littleEndian(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let count = UInt16(bytes.count)
    let lengths = [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    var checksum = UInt32.max
    for byte in bytes {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = (checksum >> 1) ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1] + lengths + bytes
      + littleEndian(~checksum) + littleEndian(UInt32(bytes.count))
  }

  @Test(arguments: [
    ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", zlib), ("deflate", deflate),
    ("identity", [UInt8]("body".utf8)), ("identity, gzip", gzip), ("gzip, gzip", twice),
    ("deflate, gzip", storedGzip(zlib)), ("gzip\r\nContent-Encoding: gzip", twice),
  ])
  func `H5: encodings are undone, also one after the other`(name: String, bytes: [UInt8])
    async throws
  {
    try await withSharedServer { test in
      let outcome = try await test.wire(Self.response(name, bytes))
      #expect(Expected(outcome) == .body("body"))
    }
  }

  @Test(arguments: [("br", brotli), ("zstd", zstandard)])
  func `H5: encodings that this libcurl knows are asked for and undone`(
    name: String, bytes: [UInt8]
  ) async throws {
    try await withSharedServer { test in
      let asked = try await test.send(.get, "echo").echoed().values(of: "Accept-Encoding").joined()
      let outcome = try await test.wire(Self.response(name, bytes))
      #expect(
        Expected(outcome) == (asked.contains(name) ? .body("body") : .broken(.undecodable)))
    }
  }

  private static let wrong: [(String, [UInt8])] = [
    ("gzip", gzip + [0]),
    ("gzip", gzip + gzip),
    ("gzip", gzip.dropLast(8) + [0, 0, 0, 0, 4, 0, 0, 0]),
    ("gzip", gzip.dropLast(4) + [5, 0, 0, 0]),
    ("gzip", [0x62, 0x6F, 0x64, 0x79]),
    ("deflate", gzip),
    ("gzip, gzip", gzip),
    ("rot13", gzip),
    ("gzip, rot13", gzip),
    ("gzip, gzip, gzip, gzip, gzip, gzip", gzip),
    ("br", gzip),
    ("zstd", gzip),
  ]

  @Test(arguments: wrong)
  func `H5: a body that is not what its encoding says is an error`(name: String, bytes: [UInt8])
    async throws
  {
    try await withSharedServer { test in
      let outcome = try await test.wire(Self.response(name, bytes))
      #expect(Expected(outcome) == .broken(.undecodable))
    }
  }

  @Test(arguments: [("gzip", gzip), ("deflate", zlib), ("br", brotli), ("zstd", zstandard)])
  func `H5: a body that was cut short in its encoding is an error`(name: String, bytes: [UInt8])
    async throws
  {
    try await withSharedServer { test in
      var unnoticed: [Int] = []
      for count in 1..<bytes.count {
        let outcome = try await test.wire(Self.response(name, [UInt8](bytes.prefix(count))))
        if case .success = outcome { unnoticed.append(count) }
      }
      // A gap of the client: libcurl reports success for most of them, and does not show the bytes
      // that would tell.
      withKnownIssue("libcurl does not tell a cut encoding from a whole one") {
        #expect(unnoticed == [])
      }
    }
  }

  @Test func `H5: an encoding of nothing is nothing`() async throws {
    try await withSharedServer { test in
      for head in [
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n",
      ] {
        let outcome = try await test.wire(head, then: .keep)
        #expect(Expected(outcome) == .body(""))
      }
    }
  }

  private static func response(_ encoding: String, _ bytes: [UInt8]) -> [UInt8] {
    [UInt8](
      "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(bytes.count)\r\n\r\n"
        .utf8) + bytes
  }
}
