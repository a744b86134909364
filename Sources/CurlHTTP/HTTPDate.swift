/// A moment that a header names, to the second (RFC 9110 section 5.6.7).
struct HTTPDate: Hashable, Sendable {
  /// The seconds since the beginning of 1970, UTC, without leap seconds.
  let secondsSince1970: Int

  /// Reads any of the three forms that a recipient has to understand.
  ///
  /// ```
  /// Sun, 06 Nov 1994 08:49:37 GMT     the form to send
  /// Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
  /// Sun Nov  6 08:49:37 1994          asctime
  /// ```
  ///
  /// The day of the week has to be one, but need not be that of the date.
  ///
  /// - Parameters:
  ///   - text: The value of the header.
  ///   - now: The present in seconds since 1970, which decides the century of a year of two digits.
  init?(_ text: String, now: Int) {
    let words = text.utf8.split(separator: UInt8(ascii: " "))
    let moment: HTTPDate? =
      switch words.count {
      case 6 where HTTPDate.isDay(words[0], HTTPDate.shortDays, ",") && HTTPDate.isZone(words[5]):
        HTTPDate(day: words[1], month: words[2], year: HTTPDate.number(words[3], 4), words[4])
      case 5 where HTTPDate.isDay(words[0], HTTPDate.shortDays, ""):
        HTTPDate(
          day: words[2], daySize: 1...2, month: words[1], year: HTTPDate.number(words[4], 4),
          words[3])
      case 4 where HTTPDate.isDay(words[0], HTTPDate.longDays, ",") && HTTPDate.isZone(words[3]):
        HTTPDate(rfc850: words[1], time: words[2], now: now)
      default: nil
      }
    guard let moment else { return nil }
    self = moment
  }

  private init?(rfc850 date: Substring.UTF8View, time: Substring.UTF8View, now: Int) {
    let parts = date.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, let year = HTTPDate.number(parts[2], 2) else { return nil }
    // The average year of the calendar; being a day off at its end decides nothing.
    let thisYear = 1970 + (Double(now) / 31_556_952).rounded(.down)
    // A year that seems to be more than 50 years ahead has passed.
    let latest = Int(max(0, min(9_999, thisYear))) + 50
    let century = (latest - year) / 100 * 100
    self.init(day: parts[0], month: parts[1], year: century + year, time)
  }

  private init?(
    day: Substring.UTF8View, daySize: ClosedRange<Int> = 2...2, month: Substring.UTF8View,
    year: Int?, _ time: Substring.UTF8View
  ) {
    let month = String(Substring(month)).lowercased()
    guard daySize.contains(day.count), let day = HTTPDate.number(day, day.count), let year,
      let month = HTTPDate.months.firstIndex(of: month).map({ $0 + 1 }),
      (1...HTTPDate.days(in: month, of: year)).contains(day),
      let seconds = HTTPDate.secondsOfDay(time)
    else { return nil }
    secondsSince1970 = HTTPDate.daysSince1970(year, month, day) * 86_400 + seconds
  }
}

extension HTTPDate {
  private static let shortDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let longDays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func isDay(_ word: Substring.UTF8View, _ names: [String], _ end: String) -> Bool {
    let word = String(Substring(word)).lowercased()
    return names.contains { word == $0 + end }
  }

  private static func isZone(_ word: Substring.UTF8View) -> Bool { word.elementsEqual("GMT".utf8) }

  /// A number of exactly so many digits.
  private static func number(_ digits: Substring.UTF8View, _ count: Int) -> Int? {
    let values = digits.compactMap(\.decimalDigitValue)
    guard digits.count == count, values.count == count else { return nil }
    return values.reduce(0) { $0 * 10 + Int($1) }
  }

  /// `hh:mm:ss` in seconds; the 60th second of a minute is a leap second.
  private static func secondsOfDay(_ time: Substring.UTF8View) -> Int? {
    let parts = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { number($0, 2) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      hours < 24, minutes < 60, seconds <= 60
    else { return nil }
    return hours * 3_600 + minutes * 60 + seconds
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days of the Gregorian calendar, counted in years that begin in March, so that the day that
  /// not every year has is the last one.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let isAfterFebruary = month > 2
    let year = isAfterFebruary ? year : year - 1
    let monthSinceMarch = isAfterFebruary ? month - 3 : month + 9
    // March and each fifth month after it begin a pattern of 31, 30, 31, 30, 31 days.
    let dayOfYear = (153 * monthSinceMarch + 2) / 5 + day - 1
    let leapDays = HTTPDate.floor(year, 4) - HTTPDate.floor(year, 100) + HTTPDate.floor(year, 400)
    // 719,468 days from the first of March of the year 0 to the beginning of 1970.
    return year * 365 + leapDays + dayOfYear - 719_468
  }

  private static func floor(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
  }
}
