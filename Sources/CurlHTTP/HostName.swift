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
    if let last = named.last, isNumeric(last), IPAddress(ipv4: host) == nil {
      return HTTPURLFault(
        reason: "its host looks like a number but is not four decimal numbers such as 127.0.0.1")
    }
    return nil
  }

  /// Whether a resolver could take a label for a number, decimal or hexadecimal.
  private static func isNumeric(_ label: Substring) -> Bool {
    if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    let isHexadecimal = label.hasPrefix("0x") || label.hasPrefix("0X")
    return isHexadecimal && label.utf8.dropFirst(2).allSatisfy { $0.hexDigitValue != nil }
  }
}
