/// A numeric address, read from text in the strictest form: nothing that some read otherwise.
struct IPAddress: Equatable {
  /// Four bytes or sixteen, the most significant first.
  let bytes: [UInt8]

  /// Reads four decimal numbers, none with a leading zero, which some read as octal.
  init?(ipv4 text: Substring) {
    guard let bytes = IPAddress.ipv4(text.utf8) else { return nil }
    self.bytes = bytes
  }

  /// Reads an IPv6 address without brackets and without a zone (RFC 4291 section 2.2).
  init?(ipv6 text: Substring) {
    guard let sides = IPAddress.sides(of: text.utf8) else { return nil }
    var parts: [[UInt8]] = []
    for (index, side) in sides.enumerated() {
      guard let part = IPAddress.bytes(of: side, isLast: index == sides.count - 1) else {
        return nil
      }
      parts.append(part)
    }
    let missing = 16 - parts.reduce(0) { $0 + $1.count }
    // A `::` stands for one group at least.
    guard parts.count == 2 ? missing >= 2 : missing == 0 else { return nil }
    bytes = parts[0] + [UInt8](repeating: 0, count: missing) + parts.dropFirst().joined()
  }

  /// Reads an address of either kind.
  init?(_ text: Substring) {
    guard let address = IPAddress(ipv4: text) ?? IPAddress(ipv6: text) else { return nil }
    self = address
  }
}

extension IPAddress {
  /// Whether it is this machine: 127.0.0.0/8, `::1`, or the former written as the latter.
  var isLoopback: Bool {
    switch bytes.count {
    case 4: bytes[0] == 127
    default: bytes == [UInt8](repeating: 0, count: 15) + [1] || isMappedLoopback
    }
  }

  /// Whether it shares its first bits with another address of the same kind.
  func matches(_ other: IPAddress, bits: Int) -> Bool {
    guard bytes.count == other.bytes.count, bits <= bytes.count * 8 else { return false }
    return zip(bytes, other.bytes).enumerated().allSatisfy { index, pair in
      let compared = min(8, max(0, bits - index * 8))
      return (pair.0 ^ pair.1) >> (8 - compared) == 0
    }
  }

  /// Whether it is an IPv4 loopback address mapped into IPv6 (RFC 4291 section 2.5.5.2).
  private var isMappedLoopback: Bool {
    bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...12] == [0xFF, 0xFF, 127]
  }

  private static func ipv4(_ text: Substring.UTF8View) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part -> UInt8? in
      let hasLeadingZero = part.count > 1 && part.first == UInt8(ascii: "0")
      guard part.allSatisfy({ $0.decimalDigitValue != nil }), !hasLeadingZero else { return nil }
      return UInt8(Substring(part))
    }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }

  /// The bytes of the groups on one side of a `::`, or of the whole address.
  ///
  /// Only the end of the address may be written in decimal numbers.
  private static func bytes(of groups: [Substring.UTF8View], isLast: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    for (index, group) in groups.enumerated() {
      if isLast, index == groups.count - 1, let decimal = ipv4(group) { return bytes + decimal }
      let digits = group.compactMap(\.hexDigitValue)
      guard (1...4).contains(group.count), digits.count == group.count else { return nil }
      let value = digits.reduce(0) { $0 << 4 | UInt16($1) }
      bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
    }
    return bytes
  }

  /// The groups before and after the `::`, or all groups where there is none.
  private static func sides(of text: Substring.UTF8View) -> [[Substring.UTF8View]]? {
    var sides: [[Substring.UTF8View]] = [[]]
    var rest = text
    if rest.starts(with: "::".utf8) {
      sides.append([])
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let group = rest.prefix { $0 != UInt8(ascii: ":") }
      sides[sides.count - 1].append(group)
      rest = rest[group.endIndex...]
      if rest.starts(with: "::".utf8) {
        if sides.count == 2 { return nil }
        sides.append([])
        rest = rest.dropFirst(2)
      } else if !rest.isEmpty {
        rest = rest.dropFirst()
        if rest.isEmpty { return nil }
      }
    }
    return sides
  }
}
