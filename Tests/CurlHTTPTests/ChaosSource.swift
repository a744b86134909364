import TestSupport

@testable import CurlHTTP

/// The source of a streamed body, which may fail, and which says when it is no longer read.
struct ChaosSource: AsyncSequence, Sendable {
  /// How it ends.
  enum End: CaseIterable {
    case whole, throwing, tooShort, tooLong, never

    /// The errors that this causes for a body of this size.
    func kinds(_ size: Int, _ isAnnounced: Bool) -> [HTTPClientError.Kind] {
      switch self {
      case .throwing: [.uploadFailed]
      case .tooShort where isAnnounced:
        [.uploadHasWrongLength(announced: size + 1, given: size)]
      case .tooLong where isAnnounced:
        [.uploadHasWrongLength(announced: size, given: size + 1)]
      // All of it comes back.
      case .never: [.bodyTooLarge(limit: ChaosFault.bodyLimit)]
      case .whole, .tooShort, .tooLong: []
      }
    }
  }

  struct SourceError: Error, Equatable { var number: Int }

  var plan: ChaosPlan
  var end: End
  let living: LivingObjects

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var left: ArraySlice<UInt8>
    fileprivate var end: End
    fileprivate let number: Int
    fileprivate let token: LivingObjects.Token

    mutating func next() async throws -> [UInt8]? {
      if !left.isEmpty {
        defer { left = left.dropFirst(30_000) }
        return [UInt8](left.prefix(30_000))
      }
      switch end {
      case .whole, .tooShort: return nil
      case .throwing: throw SourceError(number: number)
      case .tooLong:
        end = .whole
        return [0]
      case .never: return [UInt8](repeating: 0, count: 30_000)
      }
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(left: plan.body[...], end: end, number: plan.number, token: living.token())
  }
}

/// Counts objects, and tells when none is left.
final class LivingObjects: Sendable {
  private struct State {
    var count = 0
    var made = 0
    var isOver = false
  }

  private let state = TestLock(State())
  private let gone = Gate()

  /// An object that is counted while it lives.
  final class Token: Sendable {
    private let living: LivingObjects

    fileprivate init(_ living: LivingObjects) { self.living = living }

    deinit { living.release() }
  }

  /// How many were made.
  var made: Int { state.withLock { $0.made } }

  func token() -> Token {
    state.withLock {
      $0.count += 1
      $0.made += 1
    }
    return Token(self)
  }

  private func release() {
    let isLast = state.withLock { state in
      state.count -= 1
      return state.count == 0 && state.isOver
    }
    if isLast { gone.open() }
  }

  /// Waits until none lives, once no more are made.
  func waitUntilGone() async {
    let isGone = state.withLock { state in
      state.isOver = true
      return state.count == 0
    }
    if !isGone { _ = await gone.wait() }
  }
}
