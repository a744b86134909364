/// A request as a value: what to do, where, and with which headers and body.
///
/// ```swift
/// let url = try HTTPURL("https://example.com/api").appending(path: "posts")
/// var request = HTTPRequest(.post, url, body: json)
/// request.headers["Content-Type"] = "application/json"
/// let response = try await client.send(request)
/// ```
public struct HTTPRequest: Hashable, Sendable {
  /// What to do.
  public var method: HTTPMethod
  /// Where.
  public var url: HTTPURL
  /// The header fields; those that HTTP itself needs are added when the request is sent.
  public var headers: HTTPHeaders
  /// The body.
  ///
  /// GET and HEAD take none.
  public var body: [UInt8]
  /// The limits of this request, or nil for those of the client.
  public var limits: HTTPLimits?
  /// Whether redirects are followed, or nil for what the client does.
  public var redirects: HTTPRedirects?
  /// How often it is tried, or nil for what the client does.
  public var retries: HTTPRetries?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: What to do.
  ///   - url: Where.
  ///   - headers: The header fields.
  ///   - body: The body.
  ///   - limits: The limits of this request, or nil for those of the client.
  ///   - redirects: Whether redirects are followed, or nil for what the client does.
  ///   - retries: How often it is tried, or nil for what the client does.
  public init(
    _ method: HTTPMethod = .get, _ url: HTTPURL, headers: HTTPHeaders = [:], body: [UInt8] = [],
    limits: HTTPLimits? = nil, redirects: HTTPRedirects? = nil, retries: HTTPRetries? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
    self.redirects = redirects
    self.retries = retries
  }
}

extension HTTPRequest: CustomStringConvertible {
  /// The method, the URL without secrets, and the size of the body: what a log should hold.
  public var description: String {
    "\(method) \(url)" + (body.isEmpty ? "" : " (\(body.count) bytes)")
  }
}

extension HTTPRequest {
  /// Whether it may be sent again although the server may have carried it out: it only reads, or
  /// has a key that the server remembers.
  var isRepeatable: Bool { method.isSafe || headers["Idempotency-Key"] != nil }

  /// Refuses what must not reach the wire.
  ///
  /// libcurl passes a line break in a header on as it is, and with it a second header or a second
  /// request. A length set by hand can disagree with the body, which has the same effect.
  ///
  /// - Parameter limits: The limits of the client, which count where the request has none.
  /// - Throws: An error that says what is wrong; nothing was sent.
  func validate(limits: HTTPLimits) throws(HTTPClientError) {
    let limits = self.limits ?? limits
    let sizes = [
      ("bodySize", limits.bodySize), ("streamedBodySize", limits.streamedBodySize ?? 0),
      ("headerSize", limits.headerSize),
    ]
    for (name, size) in sizes where size < 0 {
      throw failure(
        .invalidRequest("The limit \(name) is \(size) bytes, which no response can keep to."))
    }
    if !body.isEmpty && !method.allowsBody {
      throw failure(.invalidRequest("A \(method) request cannot have a body."))
    }
    for field in headers.fields {
      if let reason = field.fault {
        throw failure(.invalidHeader(name: field.name, reason: reason))
      }
    }
  }

  private func failure(_ kind: HTTPClientError.Kind) -> HTTPClientError {
    HTTPClientError(kind, request: self)
  }
}

extension HTTPHeaders.Field {
  /// Why the field cannot be sent, or nil.
  fileprivate var fault: String? {
    if name.isEmpty { return "the name is empty" }
    if let byte = name.utf8.first(where: { !$0.isTokenByte }) {
      return "the name contains \(byte.visible), which is not allowed in a header name"
    }
    // RFC 9110 section 5.5: HTAB is the one control byte that a value may contain.
    if let byte = value.utf8.first(where: { $0.isControlByte && $0 != 0x09 }) {
      return "the value contains \(byte.visible), which would end or corrupt the header"
    }
    if ["Content-Length", "Transfer-Encoding", "Expect"].contains(where: isNamed) {
      return "the client sets this header itself, from the body"
    }
    return nil
  }
}
