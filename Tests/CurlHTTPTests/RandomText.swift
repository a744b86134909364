import CurlHTTP
import TestSupport

/// Texts to try a parser with: good ones, good ones with a few bytes changed, and noise.
///
/// The same seed gives the same texts.
struct RandomText {
  var random: SplitMix64
  private let samples: [[UInt8]]

  init(seed: Int, samples: [String]) {
    random = SplitMix64(seed: UInt64(seed))
    self.samples = samples.map { [UInt8]($0.utf8) }
  }

  mutating func next() -> String { String(decoding: nextBytes(), as: UTF8.self) }

  mutating func nextBytes() -> [UInt8] {
    if Int.random(in: 0..<10, using: &random) == 0 {
      return (0..<Int.random(in: 0...20, using: &random)).map { _ in byte() }
    }
    var text = samples.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 0...4, using: &random) { change(&text) }
    return text
  }

  private mutating func change(_ text: inout [UInt8]) {
    let place = Int.random(in: 0...text.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      text.insert(byte(), at: place)
    case 1 where place < text.count:
      text.remove(at: place)
    case 2 where place < text.count:
      text[place] = byte()
    default:
      // A part of it once more, or of another.
      let other = samples.randomElement(using: &random) ?? []
      let begin = Int.random(in: 0...other.count, using: &random)
      text.insert(contentsOf: other[begin...].prefix(12), at: place)
    }
  }

  /// Any byte, but more often one that means something.
  private mutating func byte() -> UInt8 {
    let special = [UInt8]("/?#@:;,.%<>\"\\=[]&-+ \t\r\n0123456789aGMT\u{301}ü".utf8)
    return Bool.random(using: &random)
      ? special.randomElement(using: &random) ?? 0 : .random(in: .min ... .max, using: &random)
  }
}

extension RandomText {
  static let urls = [
    "http://example.com/a/b?c=d#e", "https://user:pw@h:8443/%41/../x", "http://[::1]:80/",
    "HTTP://127.0.0.1", "https://xn--bcher-kva.example/ü?ü",
  ]
  static let references =
    urls + ["//g/x", "/a/../b", "../x", "?q=1", "#f", "a:b", "", "http://ada:pw@h/", "https://h/"]
  static let dates = [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ]
  static let links = [
    "<https://h/a?page=2>; rel=\"next\"; title=\"a \\\" b\", <b>; rel=prev", "<a>;rel=next,<b>",
    "<>; rel; x=y z", "\"<a>\"; rel=x",
  ]
}

/// A moment in the three forms of a date in a header, by counting and not by the way of the parser.
struct DateText {
  let forms: [String]

  init(_ second: Int) {
    var day = second / 86_400
    var time = second % 86_400
    if time < 0 {
      time += 86_400
      day -= 1
    }
    var year = 1970
    var rest = day
    while rest < 0 {
      year -= 1
      rest += Self.days(in: year)
    }
    while rest >= Self.days(in: year) {
      rest -= Self.days(in: year)
      year += 1
    }
    var month = 0
    let lengths = [31, Self.days(in: year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    while rest >= lengths[month] {
      rest -= lengths[month]
      month += 1
    }
    // The first day of 1970 was a Thursday.
    let weekday = ((day + 3) % 7 + 7) % 7
    let clock = [time / 3_600, time / 60 % 60, time % 60].map(Self.two).joined(separator: ":")
    let short = Self.weekdays[weekday].prefix(3)
    let name = Self.months[month]
    let date = rest + 1
    forms = [
      "\(short), \(Self.two(date)) \(name) \(year) \(clock) GMT",
      "\(Self.weekdays[weekday]), \(Self.two(date))-\(name)-\(Self.two(year % 100)) \(clock) GMT",
      "\(short) \(name) \(date < 10 ? " " : "")\(date) \(clock) \(year)",
    ]
  }

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func days(in year: Int) -> Int {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A link as RFC 8288 wants it written.
enum LinkText {
  static func write(_ link: HTTPLink) -> String {
    link.parameters.reduce("<\(link.target)>") { text, parameter in
      // Scalars, as a mark after a quote does not make it another character on the wire.
      let value = parameter.value.unicodeScalars.reduce(into: "") { value, scalar in
        if scalar == "\"" || scalar == "\\" { value.unicodeScalars.append("\\") }
        value.unicodeScalars.append(scalar)
      }
      return "\(text); \(parameter.key)=\"\(value)\""
    }
  }
}
