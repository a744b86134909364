import Testing

@testable import postsctl

@Suite struct `Seconds` {
  @Test(
    arguments: [
      ("5", .seconds(5)), ("0.5", .milliseconds(500)), ("0.001", .milliseconds(1)),
      ("1.2345", .milliseconds(1235)), ("86400", .seconds(86_400)), ("007", .seconds(7)),
    ] as [(String, Duration)])
  func `P13: seconds may have a fraction`(text: String, duration: Duration) throws {
    #expect(try Duration(seconds: text) == duration)
  }

  @Test(
    arguments: [
      "", "0", "0.0", "0.0009", "86400.001", "99999999999999999999999", "-1", "+1", ".5", "5.",
      "1e3", "0x10", "inf", "nan", "1,5", "1.2.3", " 1", "1s", "١",
    ])
  func `P13: whatever is no limit that can be kept is refused`(text: String) {
    #expect(
      throws: InvalidValue(
        "expected a number of seconds from 0.001 to 86400, such as 5 or 0.5")
    ) {
      try Duration(seconds: text)
    }
  }
}
