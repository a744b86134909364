/// The hosts that are reached without a proxy: the value of `no_proxy`.
///
/// Names stand for themselves and all below them, with or without a leading dot; addresses stand
/// for themselves or, as `10.0.0.0/8`, for a network; a `*` alone stands for every host
/// (CURLOPT_NOPROXY(3)). They are separated by commas or spaces. A port is no part of a name.
struct ProxyExceptions: Equatable, Sendable {
  private enum Entry: Equatable {
    case name(String)
    case network(IPAddress, bits: Int)
  }

  private var isEveryHost: Bool
  private var entries: [Entry]

  init(_ text: String) {
    let words = text.utf8.split { ", \t".utf8.contains($0) }.map { Substring($0) }
    isEveryHost = words == ["*"]
    entries = words.compactMap(ProxyExceptions.entry)
  }

  /// Whether a URL's host is one of them.
  func contain(_ url: HTTPURL) -> Bool {
    if isEveryHost { return true }
    let address = IPAddress(url.host[...])
    let host = url.hostWithoutFinalDot
    return entries.contains { entry in
      switch entry {
      case .name(let name): address == nil && (host == name || host.hasSuffix("." + name))
      case .network(let network, let bits): address?.matches(network, bits: bits) == true
      }
    }
  }

  private static func entry(_ word: Substring) -> Entry? {
    let parts = word.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    if let network = IPAddress(Substring(parts[0])) {
      let whole = network.bytes.count * 8
      guard parts.count == 2 else { return .network(network, bits: whole) }
      // libcurl compares the whole address where the size is zero.
      guard let bits = Int(Substring(parts[1])), (0...whole).contains(bits) else { return nil }
      return .network(network, bits: bits == 0 ? whole : bits)
    }
    var name = word
    if name.last == "." { name = name.dropLast() }
    if name.first == "." { name = name.dropFirst() }
    return name.isEmpty ? nil : .name(name.lowercased())
  }
}
