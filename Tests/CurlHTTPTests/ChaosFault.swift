@testable import CurlHTTP

/// What the server does to a request, and how the request may then end.
enum ChaosFault: CaseIterable {
  case none, notFound, chunked, compressed, compressedInChunks, lengthless
  case cut, cutInChunks, cutHead, badChunk, twoLengths, garbage, noAnswer, reset, notGzip
  case unknownEncoding, noColon, tooManyHeaders, tooLarge, tooLargeDecoded, closedPort
  case silent, halfway, dripping

  /// The path that does it, for a request of this number and a body of this size.
  func path(number: Int, size: Int) -> String {
    let numbered = "numbered/\(number)/\(size)"
    return switch self {
    case .none, .closedPort: numbered
    case .notFound: numbered + "?status=404"
    case .chunked: numbered + "?frame=chunked"
    case .compressed: numbered + "?frame=gzip"
    case .compressedInChunks: numbered + "?frame=gzip-chunked"
    case .lengthless: numbered + "?frame=close"
    case .cut: "cut"
    case .cutInChunks: "cut-chunked"
    case .cutHead: "cut-headers"
    case .badChunk: "bad-chunk"
    case .twoLengths: "two-lengths"
    case .garbage: "garbage"
    case .noAnswer: "empty"
    case .reset: "reset"
    case .notGzip: "not-gzip"
    case .unknownEncoding: "unknown-encoding"
    case .noColon: "no-colon"
    case .tooManyHeaders: "many-headers/1000"
    case .tooLarge: "huge"
    case .tooLargeDecoded: "gzip-flood/\(ChaosFault.bodyLimit + 1)"
    case .silent: "slow"
    case .halfway: "drip"
    case .dripping: "trickle/body"
    }
  }

  /// The limit of all bodies.
  static let bodyLimit = 500_000

  /// Whether it leaves the client waiting, so that only a limit, a cancel or the end helps.
  var isEndless: Bool {
    switch self {
    case .silent, .halfway, .dripping: true
    default: false
    }
  }

  /// The errors that it causes; none for what is a response.
  var kinds: [HTTPClientError.Kind] {
    switch self {
    case .none, .notFound, .chunked, .compressed, .compressedInChunks, .lengthless: []
    case .cut, .cutInChunks, .cutHead: [.brokenResponse(.truncated)]
    case .badChunk, .garbage, .noColon: [.brokenResponse(.notHTTP)]
    case .twoLengths: [.brokenResponse(.conflictingLengths)]
    // libcurl tries again on connections that it had kept, and after five calls it a lost one.
    case .noAnswer: [.brokenResponse(.empty), .connectionLost]
    case .reset: [.connectionLost]
    case .notGzip, .unknownEncoding: [.brokenResponse(.undecodable)]
    case .tooManyHeaders: [.headersTooLarge(limit: 65_536)]
    case .tooLarge, .tooLargeDecoded: [.bodyTooLarge(limit: ChaosFault.bodyLimit)]
    case .closedPort: [.couldNotConnect(host: "127.0.0.1")]
    case .silent, .halfway, .dripping: []
    }
  }

  /// Whether a whole response comes of it.
  var isResponse: Bool { kinds.isEmpty && !isEndless }
}
