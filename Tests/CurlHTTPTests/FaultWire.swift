import CurlHTTP
import TestSupport

extension ServedTest {
  /// What becomes of the connection after the bytes that a test chose.
  enum After: String {
    /// The server closes it.
    case close
    /// The server closes its half, and waits for the client.
    case half
    /// The server reads the next request from it.
    case keep
    /// The server resets it.
    case reset
  }

  /// A request that is answered with these bytes, whatever they are.
  func wireRequest(
    _ bytes: some Sequence<UInt8>, then after: String, method: HTTPMethod = .get,
    limits: HTTPLimits? = nil
  ) throws -> HTTPRequest {
    try CurlHTTPTests.wireRequest(bytes, then: after, base: base, method: method, limits: limits)
  }

  /// What the client makes of these bytes.
  func wire(
    _ bytes: some Sequence<UInt8>, then after: After = .close, method: HTTPMethod = .get,
    limits: HTTPLimits? = nil
  ) async throws -> Result<HTTPResponse, HTTPClientError> {
    let request = try wireRequest(bytes, then: after.rawValue, method: method, limits: limits)
    return await outcome(of: request)
  }

  /// What the client makes of this text.
  func wire(
    _ text: String, then after: After = .close, method: HTTPMethod = .get,
    limits: HTTPLimits? = nil
  ) async throws -> Result<HTTPResponse, HTTPClientError> {
    try await wire(text.utf8, then: after, method: method, limits: limits)
  }

  /// The response or the error of a request.
  func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, HTTPClientError> {
    do throws(HTTPClientError) { return .success(try await client.send(request)) } catch {
      return .failure(error)
    }
  }
}

/// A request that a fault server answers with these bytes, whatever they are.
func wireRequest(
  _ bytes: some Sequence<UInt8>, then after: String, base: HTTPURL, method: HTTPMethod = .get,
  limits: HTTPLimits? = nil
) throws -> HTTPRequest {
  let digits = [UInt8]("0123456789ABCDEF".utf8)
  let escaped = bytes.flatMap { [0x25, digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  let url = try HTTPURL("\(base)wire/\(after)/\(String(decoding: escaped, as: UTF8.self))")
  return HTTPRequest(method, url, limits: limits)
}

/// Runs a test against a fault server of its own that speaks TLS.
func withSecureServer(_ body: (ServedTest) async throws -> Void) async throws {
  try await withTemporaryDirectory { directory in
    let certificates = try await Certificates(in: directory)
    let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
    try await withServer(
      pair.arguments, configuration: .patient(certificateAuthorityFile: certificates.authority),
      base: { "https://127.0.0.1:\($0.port)" }, body)
  }
}

/// Runs a test against a fault server of its own that does not.
func withPlainServer(_ body: (ServedTest) async throws -> Void) async throws {
  try await withServer([], body)
}

/// What a test expects of a request.
enum Expected: Equatable, CustomStringConvertible {
  /// A response with this body.
  case body(String)
  /// An error of this kind.
  case failure(HTTPClientError.Kind)

  init(_ result: Result<HTTPResponse, HTTPClientError>) {
    self =
      switch result {
      case .success(let response): .body(response.text)
      case .failure(let error): .failure(error.kind)
      }
  }

  /// A response that is broken in this way.
  static func broken(_ broken: HTTPClientError.BrokenResponse) -> Expected {
    .failure(.brokenResponse(broken))
  }

  var description: String {
    switch self {
    case .body(let text): "the body \"\(text)\""
    case .failure(let kind): "the failure \(kind)"
    }
  }
}
