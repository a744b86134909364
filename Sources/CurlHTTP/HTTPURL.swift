/// A checked `http` or `https` address with a host.
///
/// It is made from text, which says what is wrong with it, and extended with path segments and
/// query items, which are percent-encoded here, so that no value can change the shape of the URL:
///
/// ```swift
/// let base = try HTTPURL("https://example.com/api/v1")
/// base.appending(path: "posts")                     // https://example.com/api/v1/posts
/// base.appending(path: "posts").appending(segment: "a/b")          // …/posts/a%2Fb
/// base.appending(path: "posts").appending(query: ["userId": "7"])  // …/posts?userId=7
/// ```
///
/// A user name and password in the text are taken out and kept apart: they are sent as basic
/// authentication and appear in no description. A fragment is dropped, since it is never sent.
public struct HTTPURL: Hashable, Sendable {
  /// A protocol to speak.
  public enum Scheme: String, Sendable {
    /// HTTP without protection.
    case http
    /// HTTP over TLS.
    case https
  }

  /// What a URL says about who is asking.
  struct Credentials: Hashable, Sendable {
    var user: String
    var password: String
  }

  /// The protocol.
  public private(set) var scheme: Scheme
  /// The host in small letters: a name, an IPv4 address, or an IPv6 address without brackets.
  public private(set) var host: String
  /// The port, if it is not the protocol's own.
  public private(set) var port: Int?
  /// The path, percent-encoded, with its leading slash.
  public private(set) var path: String
  /// The query, percent-encoded, without its question mark.
  public private(set) var query: String?
  /// The decoded user name and password; never printed.
  private(set) var credentials: Credentials?

  /// Checks a URL.
  ///
  /// - Parameter text: An absolute URL. Characters beyond ASCII are percent-encoded in the path and
  ///   the query; `.` and `..` in the path are resolved (RFC 3986 section 5.2.4).
  /// - Throws: An error of the kind ``HTTPClientError/Kind/invalidURL(_:)`` that says what is
  ///   wrong.
  public init(_ text: String) throws(HTTPClientError) {
    do throws(HTTPURLFault) {
      let parts = try HTTPURLParser(text).parse()
      scheme = parts.scheme
      host = parts.host
      port = parts.port == parts.scheme.defaultPort ? nil : parts.port
      path = parts.path
      query = parts.query
      credentials = parts.credentials
    } catch {
      throw HTTPClientError(.invalidURL(error.reason), url: HTTPURLParser.withoutCredentials(text))
    }
  }
}

extension HTTPURL {
  /// Adds segments to the path, and keeps the path that is there.
  ///
  /// Each slash in `path` begins a new segment; everything else that could mean something in a URL
  /// is percent-encoded, a `?` and a `..` included. One slash stands between the old path and the
  /// new, whether or not they brought their own; a slash at the end of `path` is kept.
  ///
  /// - Parameter path: The segments, such as `posts` or `users/7/posts`.
  /// - Returns: The longer URL, with the same query.
  public func appending(path: String) -> HTTPURL {
    let slash = UInt8(ascii: "/")
    var result = path.utf8.split(separator: slash).reduce(self) {
      $0.appending(segment: String(Substring($1)))
    }
    if path.utf8.last == slash && !result.path.hasSuffix("/") { result.path += "/" }
    return result
  }

  /// Adds one segment to the path, in which a slash is only a character.
  ///
  /// - Parameter segment: The segment as text, such as an identity that a server handed out.
  /// - Returns: The longer URL, with the same query.
  public func appending(segment: String) -> HTTPURL {
    var result = self
    let separator = path.hasSuffix("/") ? "" : "/"
    result.path += separator + PercentEncoding.segment(segment)
    return result
  }

  /// Adds items to the query, in order, and keeps those that are there.
  ///
  /// - Parameter items: Names and values as text; both are percent-encoded.
  /// - Returns: The URL with the longer query.
  public func appending(query items: KeyValuePairs<String, String>) -> HTTPURL {
    items.reduce(self) { $0.appending(query: $1.key, value: $1.value) }
  }

  /// Adds one item to the query and keeps those that are there.
  ///
  /// - Parameters:
  ///   - name: The name as text.
  ///   - value: The value as text.
  /// - Returns: The URL with the longer query.
  public func appending(query name: String, value: String) -> HTTPURL {
    var result = self
    let item = PercentEncoding.queryPart(name) + "=" + PercentEncoding.queryPart(value)
    result.query = if let query, !query.isEmpty { query + "&" + item } else { item }
    return result
  }

  /// The same address, asked by somebody else or by nobody in particular.
  func authenticated(as credentials: Credentials?) -> HTTPURL {
    var result = self
    result.credentials = credentials
    return result
  }

  /// Where requests to this URL connect: protocol, host and port (RFC 6454).
  var origin: String {
    var text = ""
    appendOrigin(to: &text)
    return text
  }

  /// The whole URL as it is requested, without credentials.
  ///
  /// In one text, which is made once for each request.
  var requestText: String {
    var text = ""
    text.reserveCapacity(host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 17)
    appendOrigin(to: &text)
    text += path
    if let query {
      text += "?"
      text += query
    }
    return text
  }

  private func appendOrigin(to text: inout String) {
    text += scheme == .https ? "https://" : "http://"
    if host.utf8.contains(UInt8(ascii: ":")) {
      text += "["
      text += host
      text += "]"
    } else {
      text += host
    }
    if let port {
      text += ":"
      text += String(port)
    }
  }

  /// Whether the host is this machine, by name or by number.
  var isLoopback: Bool {
    let name = hostWithoutFinalDot
    return name == "localhost" || name.hasSuffix(".localhost")
      || IPAddress(host[...])?.isLoopback == true
  }

  /// The host without the dot that says that a name is complete.
  var hostWithoutFinalDot: Substring { host.last == "." ? host.dropLast() : host[...] }
}

extension HTTPURL.Scheme {
  /// The port that a URL without one means.
  var defaultPort: Int {
    switch self {
    case .http: 80
    case .https: 443
    }
  }
}

extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The URL, without credentials, and with secret-looking query values replaced by `***`.
  public var description: String { origin + path + (query.map { "?" + Redaction.query($0) } ?? "") }

  /// The same as the description.
  public var debugDescription: String { description }

  /// Only the description, so that `dump` prints no secret either.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
