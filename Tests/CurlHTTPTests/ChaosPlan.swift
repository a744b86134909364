import TestSupport

@testable import CurlHTTP

/// One request of a run, with all that is to happen to it; the same seed plans the same.
struct ChaosPlan: CustomStringConvertible {
  /// How the request is made.
  enum Way {
    /// The response is collected.
    case send
    /// The response is read piece by piece, to its end or for so many pieces.
    case stream(pieces: Int?)
    /// The response is asked for and dropped.
    case drop
    /// A body is sent that its source ends in this way, and comes back.
    case upload(ChaosSource.End, isAnnounced: Bool, isStreamed: Bool)
    /// A body without end goes to a server that refuses it.
    case refusedUpload(isStreamed: Bool)
  }

  var number: Int
  var fault: ChaosFault
  var way: Way
  var size: Int
  var overTLS: Bool
  var isPost: Bool
  /// The total limit; nil for one that is not reached.
  var limit: Duration?
  /// How much is counted before the task is cancelled; nil if it is not.
  var cancel: Int?
  /// Whether the client is shut down afterwards, under all who use it.
  var endsClient: Bool
  /// Which of the clients.
  var client: Int

  init(seed: UInt64, number: Int, clients: Int) {
    var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
    self.number = number
    fault = ChaosFault.allCases.randomElement(using: &random) ?? .none
    if Int.random(in: 0..<3, using: &random) == 0 { fault = .none }
    size = [0, 1, 300, 20_000, 400_000].randomElement(using: &random) ?? 0
    way =
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: .stream(pieces: nil)
      case 2: .stream(pieces: Int.random(in: 0..<4, using: &random))
      case 3: .drop
      case 4, 5:
        .upload(
          ChaosSource.End.allCases.randomElement(using: &random) ?? .whole,
          isAnnounced: .random(using: &random), isStreamed: .random(using: &random))
      case 6: .refusedUpload(isStreamed: .random(using: &random))
      default: .send
      }
    overTLS = Int.random(in: 0..<5, using: &random) == 0
    isPost = Int.random(in: 0..<4, using: &random) == 0
    let isShort = fault.isEndless || Int.random(in: 0..<10, using: &random) == 0
    limit = isShort ? .milliseconds(Int.random(in: 1...100, using: &random)) : nil
    let isCancelled = Int.random(in: 0..<6, using: &random) == 0
    cancel = isCancelled ? Int.random(in: 0..<20_000, using: &random) : nil
    endsClient = Int.random(in: 0..<200, using: &random) == 0
    client = Int.random(in: 0..<clients, using: &random)
  }

  /// The body that the server sends, or is sent and sends back.
  var body: [UInt8] {
    let part = [UInt8]("\(number);".utf8)
    return (0..<size).map { part[$0 % part.count] }
  }

  var limits: HTTPLimits {
    var limits = HTTPLimits.patient(
      total: limit ?? .seconds(3_600), bodySize: ChaosFault.bodyLimit)
    limits.streamedTotal = limit
    limits.streamedBodySize = ChaosFault.bodyLimit
    return limits
  }

  var description: String {
    "request \(number): \(fault), \(way), \(size) bytes"
      + (overTLS ? ", TLS" : "") + (isPost ? ", POST" : "")
      + (limit.map { ", at most \($0)" } ?? "") + (cancel == nil ? "" : ", cancelled")
  }
}

extension ChaosPlan {
  /// Whether an error of this kind may be the end of it.
  func allows(_ kind: HTTPClientError.Kind) -> Bool {
    switch kind {
    case .clientShutDown: return true
    case .cancelled: return cancel != nil
    case .timedOut(.total, after: let duration, _): return duration == limit
    default: break
    }
    return switch way {
    case .send, .stream, .drop: fault.kinds.contains(kind)
    case .upload(let end, let isAnnounced, _): end.kinds(size, isAnnounced).contains(kind)
    // The server closes the connection under what is still being sent.
    case .refusedUpload: kind == .connectionLost
    }
  }
}
