/// How long a server asks to be left alone (RFC 9110 section 10.2.3).
enum RetryAfter {
  /// Reads a `Retry-After`: seconds, or a date.
  ///
  /// What lies in the past, and a negative number, is no time at all. A part of a second, which
  /// the standard does not know but servers send, counts as a whole one. A number too large to be
  /// held is the largest that can.
  ///
  /// - Parameters:
  ///   - value: The value of the header.
  ///   - now: The moment it was sent, in seconds since 1970.
  /// - Returns: Zero or more whole seconds, or nil if it is neither.
  static func delay(_ value: String, now: Int) -> Duration? {
    if let seconds = seconds(value.utf8.withoutSpaceAround) { return .seconds(seconds) }
    guard let date = HTTPDate(value, now: now) else { return nil }
    let (seconds, overflowed) = date.secondsSince1970.subtractingReportingOverflow(now)
    if overflowed { return .seconds(now < 0 ? Int.max : 0) }
    return .seconds(max(0, seconds))
  }

  private static func seconds(_ text: some BidirectionalCollection<UInt8>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let number = isNegative ? text.dropFirst() : text[...]
    let whole = number.prefix { $0.decimalDigitValue != nil }
    let rest = number[whole.endIndex...]
    let fraction = rest.dropFirst()
    let isNumber =
      rest.isEmpty
      || (rest.first == UInt8(ascii: ".") && fraction.allSatisfy { $0.decimalDigitValue != nil })
    guard !whole.isEmpty, isNumber else { return nil }
    if isNegative { return 0 }
    let seconds = whole.reduce(0) { seconds, digit in
      let (tens, isTooLarge) = seconds.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeToo) = tens.addingReportingOverflow(Int(digit - 0x30))
      return isTooLarge || isTooLargeToo ? Int.max : sum
    }
    let roundsUp = fraction.contains { $0 != UInt8(ascii: "0") } && seconds < Int.max
    return roundsUp ? seconds + 1 : seconds
  }
}

extension HTTPHeaders {
  /// How long the server asks to be left alone, or nil if it does not say.
  ///
  /// - Parameter now: The present in seconds since 1970. A date is compared with the server's own
  ///   `Date` where it sent one, so that a clock that is wrong here does no harm.
  /// - Returns: Zero or more whole seconds, or nil.
  func retryAfter(now: () -> Int) -> Duration? {
    guard let value = self["Retry-After"] else { return nil }
    let now = now()
    let sent = self["Date"].flatMap { HTTPDate($0, now: now) }
    return RetryAfter.delay(value, now: sent?.secondsSince1970 ?? now)
  }
}

extension HTTPResponse {
  /// How long the server asks to be left alone, in whole seconds, or nil if it does not say.
  ///
  /// It is what `Retry-After` says (RFC 9110 section 10.2.3): a number of seconds, or a date, which
  /// is compared with the response's own `Date` or else with this machine's clock. Never negative.
  public var retryAfter: Duration? { headers.retryAfter(now: WallClock.secondsSince1970) }
}
