/// What a server answered.
///
/// Every status is a response, also 404 and 503; what it means is for the caller to say. A
/// redirect that is not followed is a response too: see ``HTTPRedirects``.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code: 101, or 200 to 999.
  public var status: Int
  /// The header fields of the final response, without those of interim responses or trailers.
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: [UInt8]
  /// Where it came from, after all redirects; nil for a response that no client received.
  public var url: HTTPURL?
  /// Where the time went and how many bytes were moved; nil for a response that no server sent.
  public var metrics: HTTPMetrics?

  /// Creates a response.
  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: HTTPURL? = nil,
    metrics: HTTPMetrics? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.metrics = metrics
  }
}

extension HTTPResponse: CustomStringConvertible {
  /// The status and the size of the body.
  public var description: String { "\(status) (\(body.count) bytes)" }
}
