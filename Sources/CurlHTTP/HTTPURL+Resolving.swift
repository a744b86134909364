extension HTTPURL {
  /// Resolves a reference that stands in a document or a header at this URL (RFC 3986 section 5.2).
  ///
  /// ```swift
  /// let page = try HTTPURL("https://example.com/posts/?page=1")
  /// try page.resolving("?page=2")       // https://example.com/posts/?page=2
  /// try page.resolving("../users")      // https://example.com/users
  /// try page.resolving("//other.org/")  // https://other.org/
  /// ```
  ///
  /// A fragment is dropped. A user name and password in the reference are dropped as well, since
  /// they are not the caller's; those of this URL are kept while the result has its origin.
  ///
  /// - Parameter reference: An absolute URL, or a relative one such as `?q`, `c`, `../d`, `/e` or
  ///   `//host`. An empty one is this URL.
  /// - Returns: The URL that is meant.
  /// - Throws: An error of the kind ``HTTPClientError/Kind/invalidURL(_:)`` when the result is not
  ///   an http or https URL with a host.
  public func resolving(_ reference: String) throws(HTTPClientError) -> HTTPURL {
    let target = try HTTPURL(absolute(reference))
    return target.authenticated(as: target.origin == origin ? credentials : nil)
  }

  /// The text of the URL that a reference means, unchecked.
  ///
  /// Bytes are compared: to a string, a slash and a mark that combines with it are one character.
  private func absolute(_ reference: String) -> String {
    let bytes = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
    let text = String(Substring(bytes))
    if HTTPURL.hasScheme(bytes) { return text }
    if bytes.starts(with: "//".utf8) { return scheme.rawValue + ":" + text }
    switch bytes.first {
    case nil: return requestText
    case UInt8(ascii: "/"): return origin + text
    case UInt8(ascii: "?"): return origin + path + text
    default:
      let last = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let folder = last.map { String(Substring(path.utf8[...$0])) } ?? "/"
      return origin + folder + text
    }
  }

  /// Whether a reference begins with a scheme (RFC 3986 section 3.1), whatever follows it.
  private static func hasScheme(_ reference: Substring.UTF8View) -> Bool {
    let name = reference.prefix { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
    guard let first = name.first, first.decimalDigitValue == nil, first.isASCIILetterOrDigit else {
      return false
    }
    return reference[name.endIndex...].first == UInt8(ascii: ":")
  }
}
