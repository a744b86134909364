/// What a server answered, with a body that comes while it is read.
///
/// ```swift
/// let response = try await client.stream(HTTPRequest(.get, url))
/// for try await bytes in response.body { file.write(bytes) }
/// ```
///
/// It keeps its client alive until the body was read or given up.
public struct HTTPStreamedResponse: Sendable {
  /// The status code: 101, or 200 to 999.
  public let status: Int
  /// The header fields of the final response, without those of interim responses or trailers.
  public let headers: HTTPHeaders
  /// Where it came from, after all redirects.
  public internal(set) var url: HTTPURL?
  /// Where the time went and how many bytes were moved until the headers had come.
  public let metrics: HTTPMetrics?
  /// The body, to be read once.
  public let body: Body

  init(_ head: HTTPResponse, body: ResponseBodyReader) {
    status = head.status
    headers = head.headers
    metrics = head.metrics
    self.body = Body(body)
  }
}

extension HTTPStreamedResponse: HTTPExchangeResponse {
  static var isStreamed: Bool { true }

  /// An iterator that nobody keeps has given up the body.
  func abandon() { _ = body.makeAsyncIterator() }
}

extension HTTPStreamedResponse {
  /// A body as a sequence of pieces, decompressed, which is read once.
  ///
  /// Pieces have the size in which they came, from one byte to some hundred KiB; none is empty. No
  /// more than that is held here: a reader who takes their time makes the server wait.
  ///
  /// A body that is cut short, a time limit or a lost connection is an ``HTTPClientError`` that the
  /// sequence throws after what had come before. Cancelling the task that reads, dropping the
  /// iterator, or dropping the response unread ends the transfer and frees its connection slot.
  public struct Body: AsyncSequence, Sendable {
    /// Bytes, never none.
    public typealias Element = [UInt8]
    /// Why a body has no end.
    public typealias Failure = HTTPClientError

    private let source: Source

    init(_ reader: ResponseBodyReader) { source = Source(reader) }

    /// Begins to read.
    ///
    /// A second iterator of the same body throws ``HTTPClientError/Kind/bodyReadTwice``.
    public func makeAsyncIterator() -> Iterator { source.makeIterator() }

    /// Reads the body to its end.
    ///
    /// - Parameter limit: How many bytes it may have.
    /// - Returns: The bytes.
    /// - Throws: An error of the kind ``HTTPClientError/Kind/bodyTooLarge(limit:)`` as soon as
    ///   there are more, which ends the transfer; or why the body has no end.
    public func collect(upTo limit: Int) async throws(HTTPClientError) -> [UInt8] {
      var body: [UInt8] = []
      let iterator = makeAsyncIterator()
      while let bytes = try await iterator.next() {
        guard bytes.count <= limit - body.count else {
          throw source.failure(.bodyTooLarge(limit: limit))
        }
        if body.isEmpty { body = bytes } else { body += bytes }
      }
      return body
    }
  }
}

extension HTTPStreamedResponse.Body {
  /// Reads a body, piece by piece.
  public struct Iterator: AsyncIteratorProtocol {
    /// Bytes, never none.
    public typealias Element = [UInt8]
    /// Why a body has no end.
    public typealias Failure = HTTPClientError

    /// The reader, or why this iterator has none.
    fileprivate let reader: Result<ResponseBodyReader, HTTPClientError>

    /// The next piece, or nil after the last.
    ///
    /// - Returns: Bytes, never none.
    /// - Throws: Why the body ends before its end; again if asked again.
    public func next() async throws(HTTPClientError) -> [UInt8]? { try await reader.get().next() }

    /// The next piece, or nil after the last.
    ///
    /// - Parameter actor: Whom the caller is isolated to.
    /// - Returns: Bytes, never none.
    /// - Throws: Why the body ends before its end; again if asked again.
    public func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HTTPClientError) -> [UInt8]? {
      try await reader.get().next()
    }
  }

  /// The reader of a body, until an iterator has it: so it lives no longer than whoever can read.
  fileprivate final class Source: Sendable {
    private let request: HTTPRequest
    private let reader: Lock<ResponseBodyReader?>

    init(_ reader: ResponseBodyReader) {
      request = reader.request
      self.reader = Lock(reader)
    }

    func makeIterator() -> Iterator {
      let reader = reader.withLock { reader in
        defer { reader = nil }
        return reader
      }
      return Iterator(reader: reader.map { .success($0) } ?? .failure(failure(.bodyReadTwice)))
    }

    func failure(_ kind: HTTPClientError.Kind) -> HTTPClientError {
      var error = HTTPClientError(kind, request: request)
      error.mayHaveReachedServer = true
      return error
    }
  }
}

@available(*, unavailable, message: "One task reads a body; give another the pieces.")
extension HTTPStreamedResponse.Body.Iterator: Sendable {}
