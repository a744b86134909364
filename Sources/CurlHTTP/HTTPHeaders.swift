/// The header fields of a request or a response, in order.
///
/// Names are compared without regard to case (RFC 9110 section 5.1); the order and the spelling
/// are kept. A name may occur several times.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["authorization"] = "Bearer …"
/// ```
///
/// Nothing is checked here. ``HTTPClient/send(_:)`` refuses names that are not tokens and values
/// with control bytes before anything is sent.
public struct HTTPHeaders: Hashable, Sendable {
  /// One name and one value.
  public struct Field: Hashable, Sendable {
    /// The name as it was written.
    public var name: String
    /// The value, without the space around it.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields, in order.
  public var fields: [Field]

  /// Creates headers from fields.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// Appends a field and keeps those of the same name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The value of the first field with this name.
  ///
  /// Setting a value replaces every field of the name; setting nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.isNamed(name) }?.value }
    set {
      let first = fields.firstIndex { $0.isNamed(name) } ?? fields.endIndex
      fields.removeAll { $0.isNamed(name) }
      if let newValue { fields.insert(Field(name: name, value: newValue), at: first) }
    }
  }

  /// The values of all fields with this name, in order.
  public func values(for name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }
}

extension HTTPHeaders.Field {
  /// Compares names as HTTP does: ASCII letters without regard to case.
  func isNamed(_ other: String) -> Bool {
    name.utf8.count == other.utf8.count
      && name.utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates headers from names and values, in the order written.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
  /// The field as a line, with `***` in place of a value that is likely to be a secret.
  ///
  /// Of a URL only what may be a secret is left out.
  public var description: String { "\(Redaction.visible(name)): \(valueWithoutSecrets)" }

  private var valueWithoutSecrets: String {
    if Redaction.isSecret(name) { return "***" }
    if isNamed("Link") {
      return HTTPHeaders([self]).links.map(\.description).joined(separator: ", ")
    }
    guard ["Location", "Content-Location", "Referer"].contains(where: isNamed) else {
      return Redaction.visible(value)
    }
    // A login may hand out its token in the fragment (RFC 6749 section 4.2.2).
    let beforeFragment = value.utf8.prefix { $0 != UInt8(ascii: "#") }
    return HTTPURLParser.withoutCredentials(String(Substring(beforeFragment)))
  }

  /// Only the description, so that `dump` prints no secret either.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPHeaders: CustomStringConvertible {
  /// The fields in order, with `***` in place of values that are likely to be secrets.
  public var description: String { fields.description }
}

extension UInt8 {
  /// The byte, as a small letter where it is a capital one.
  var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// Whether the byte may stand in a token, such as a header name (RFC 9110 section 5.6.2).
  var isTokenByte: Bool { isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }

  var isASCIILetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// Whether the byte controls something (RFC 5234, CTL); HTAB is one.
  var isControlByte: Bool { self < 0x20 || self == 0x7F }
}
