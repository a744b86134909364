/// A link from a `Link` header to another resource (RFC 8288).
///
/// Servers use it to say where the next page of a list is:
///
/// ```swift
/// var page = try await client.send(request)
/// while let next = page.url(ofLink: "next") {
///   page = try await client.send(HTTPRequest(.get, next))
/// }
/// ```
public struct HTTPLink: Hashable, Sendable {
  /// Where it leads, as it was written.
  ///
  /// It is often relative; ``HTTPURL/resolving(_:)`` completes it.
  public var target: String
  /// The parameters by their names in small letters; of several with one name, the first.
  ///
  /// One without a value has an empty one. Values are as they were meant, without quotes and
  /// escapes, except that those of names that end in `*` are not decoded.
  public var parameters: [String: String]

  /// Creates a link.
  ///
  /// - Parameters:
  ///   - target: Where it leads.
  ///   - parameters: The parameters, `rel` included.
  public init(target: String, parameters: [String: String] = [:]) {
    self.target = target
    self.parameters = parameters
  }
}

extension HTTPLink {
  /// What the target is to this resource, such as `next`, in small letters and in order.
  public var relations: [String] {
    (parameters["rel"] ?? "").utf8.split { $0 == 0x20 || $0 == 0x09 }.map {
      Substring($0).lowercased()
    }
  }

  /// The title, if it has one.
  public var title: String? { parameters["title"] }
}

extension HTTPHeaders {
  /// The links of all `Link` fields, in order.
  ///
  /// Where a field is malformed, the links before the fault count.
  public var links: [HTTPLink] {
    values(for: "Link").flatMap { value in
      var parser = HTTPLinkParser(value)
      return parser.links()
    }
  }
}

extension HTTPResponse {
  /// The URL of the first link with a relation, such as `next`.
  ///
  /// It is resolved against ``url``. A link that speaks about another resource than this one (its
  /// parameter `anchor` says so) does not count.
  ///
  /// - Parameter relation: The relation; small and capital letters are the same.
  /// - Returns: The URL, or nil when there is no such link or its target cannot be requested.
  public func url(ofLink relation: String) -> HTTPURL? {
    let relation = relation.lowercased()
    let link = headers.links.first {
      $0.relations.contains(relation) && $0.parameters["anchor"] == nil
    }
    guard let link else { return nil }
    return try? url.map { try $0.resolving(link.target) } ?? HTTPURL(link.target)
  }
}

extension HTTPLink: CustomStringConvertible, CustomReflectable {
  /// The target without what may be a secret, and its relations.
  public var description: String {
    let target = HTTPURLParser.withoutCredentials(target)
    let relations = relations.map { Redaction.visible($0) }.joined(separator: " ")
    return "<\(target)>; rel=\"\(relations)\""
  }

  /// Only the description, so that `dump` prints no secret either.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
