/// What a request asks the server to do (RFC 9110 section 9, RFC 5789).
public enum HTTPMethod: String, CaseIterable, Sendable {
  /// Reads a resource.
  case get = "GET"
  /// Reads the headers that a GET would give.
  case head = "HEAD"
  /// Hands the body to a resource, which decides what it means. Twice is not the same as once.
  case post = "POST"
  /// Makes a resource equal to the body.
  case put = "PUT"
  /// Changes part of a resource. Twice is not the same as once.
  case patch = "PATCH"
  /// Removes a resource.
  case delete = "DELETE"
}

extension HTTPMethod {
  /// Whether doing it twice has the same effect as doing it once (RFC 9110 section 9.2.2).
  public var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete: true
    case .post, .patch: false
    }
  }

  /// Whether it only reads (RFC 9110 section 9.2.1).
  var isSafe: Bool {
    switch self {
    case .get, .head: true
    case .post, .put, .patch, .delete: false
    }
  }

  /// Whether a request with this method carries a body.
  var allowsBody: Bool {
    switch self {
    case .get, .head: false
    case .post, .put, .patch, .delete: true
    }
  }
}

extension HTTPMethod: CustomStringConvertible {
  /// The method as it is sent.
  public var description: String { rawValue }
}
