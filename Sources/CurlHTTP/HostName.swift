/// The rules for the host of a URL (RFC 3986 section 3.2.2, RFC 1123 section 2.1).
enum HostName {
  /// What is wrong with a name or an IPv4 address, or nil.
  static func fault(of host: Substring) -> HTTPURLFault? {
    if host.isEmpty { return HTTPURLFault(reason: "it has no host") }
    if host.utf8.contains(where: { $0 >= 0x80 }) {
      return HTTPURLFault(reason: "its host is not ASCII; write an international name as xn--…")
    }
    if let byte = host.utf8.first(where: { !$0.isASCIILetterOrDigit && !"-._".utf8.contains($0) }) {
      return HTTPURLFault(reason: "its host contains \(byte.visible)")
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    // One final dot says that the name is complete.
    let named = labels.count > 1 && labels.last == "" ? labels.dropLast() : labels[...]
    if named.contains(where: { $0.isEmpty || $0.utf8.count > 63 }) || host.utf8.count > 254 {
      return HTTPURLFault(reason: "a part of its host between two dots is empty or too long")
    }
    if let last = named.last, isNumeric(last), !isIPv4(host) {
      return HTTPURLFault(
        reason: "its host looks like a number but is not four decimal numbers such as 127.0.0.1")
    }
    return nil
  }

  /// Whether the text is four decimal numbers, none with a leading zero, which some read as octal.
  static func isIPv4(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
          && (part.utf8.count == 1 || !part.hasPrefix("0"))
      }
  }

  /// Whether the text is an IPv6 address without a zone (RFC 4291 section 2.2).
  static func isIPv6(_ text: Substring) -> Bool {
    let halves = sides(of: text)
    guard let halves else { return false }
    let groups = halves.flatMap { $0 }
    var count = groups.count
    for (index, group) in groups.enumerated() {
      if index == groups.count - 1 && group.contains(".") {
        guard isIPv4(group) else { return false }
        count += 1
      } else {
        guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ $0.hexDigitValue != nil })
        else { return false }
      }
    }
    return halves.count == 2 ? count <= 7 : count == 8
  }

  /// The groups before and after the `::`, or all groups where there is none.
  private static func sides(of text: Substring) -> [[Substring]]? {
    var sides: [[Substring]] = [[]]
    var rest = text
    if rest.hasPrefix("::") {
      sides.append([])
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let group = rest.prefix { $0 != ":" }
      sides[sides.count - 1].append(group)
      rest = rest[group.endIndex...]
      if rest.hasPrefix("::") {
        if sides.count == 2 { return nil }
        sides.append([])
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix(":") {
        rest = rest.dropFirst()
        if rest.isEmpty { return nil }
      }
    }
    return sides
  }

  /// Whether a resolver could take a label for a number, decimal or hexadecimal.
  private static func isNumeric(_ label: Substring) -> Bool {
    if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    let isHexadecimal = label.hasPrefix("0x") || label.hasPrefix("0X")
    return isHexadecimal && label.utf8.dropFirst(2).allSatisfy { $0.hexDigitValue != nil }
  }
}
