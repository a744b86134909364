/// What all exchanges of a client have in common, chance and the date included, so that a test can
/// leave nothing to them.
struct HTTPExchangeSettings: Sendable {
  var configuration: HTTPClient.Configuration
  /// A random number from 0 to 1, for the length of a pause.
  var jitter: @Sendable () -> Double = { .random(in: 0...1) }
  /// The present in seconds since 1970, for dates without a `Date` beside them.
  var now: @Sendable () -> Int = WallClock.secondsSince1970
  /// A key that no other request has.
  var idempotencyKey: @Sendable () -> String = {
    var generator = SystemRandomNumberGenerator()
    return IdempotencyKey.random(using: &generator)
  }
}

/// Makes keys by which a server knows a request again.
enum IdempotencyKey {
  /// A random UUID (RFC 9562 section 5.4).
  static func random(using generator: inout some RandomNumberGenerator) -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef")
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0x0F)])
    }
    return text
  }
}
