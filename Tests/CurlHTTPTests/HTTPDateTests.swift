import TestSupport
import Testing

@testable import CurlHTTP

@Suite
struct HTTPDateTests {
  /// The beginning of 2026, in seconds since 1970.
  private let now = 1_767_225_600

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Sun Nov 16 08:49:37 1994", 784_975_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
    ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
    ("sun, 06 nov 1994 08:49:37 GMT", 784_111_777),
  ])
  func `H7: a date is read in each of the three forms`(text: String, seconds: Int) {
    #expect(HTTPDate(text, now: now)?.secondsSince1970 == seconds)
  }

  @Test(arguments: [
    // From 2026, a year that is at most 50 years ahead may come, and any other has been.
    ("Tuesday, 01-Jan-26 00:00:00 GMT", 2026), ("Tuesday, 01-Jan-76 00:00:00 GMT", 2076),
    ("Tuesday, 01-Jan-77 00:00:00 GMT", 1977), ("Tuesday, 01-Jan-99 00:00:00 GMT", 1999),
    ("Tuesday, 01-Jan-00 00:00:00 GMT", 2000),
  ])
  func `H7: a year of two digits is near`(text: String, year: Int) {
    let expected = HTTPDate("Thu, 01 Jan \(year) 00:00:00 GMT", now: now)
    #expect(expected != nil)
    #expect(HTTPDate(text, now: now) == expected)
  }

  @Test(arguments: [
    "", " ", "0", "-3", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
    "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
    "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 UTC", "Sun Nov 006 08:49:37 1994", "Sun Nov 6 08:49:37 94",
    "Sun, 06 Nov 1994 08:49:37 GMT GMT", "1994-11-06T08:49:37Z",
    "Sun, 0\u{301}6 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
  ])
  func `H7: what is no date is none`(text: String) {
    #expect(HTTPDate(text, now: now) == nil)
  }

  @Test func `H7: four hundred years of dates are counted as the calendar counts them`() {
    // Given the calendar counted out day by day, which is another way than the one tested.
    var days = -135_140  // The beginning of 1600.
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    for year in 1600..<2000 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (name, length) in zip(names, lengths) {
        for day in [1, 15, length] {
          let second = (days + day - 1) * 86_400 + 3_661
          let text = "Mon, \(day < 10 ? "0" : "")\(day) \(name) \(year) 01:01:01 GMT"
          #expect(HTTPDate(text, now: 0)?.secondsSince1970 == second)
        }
        days += length
      }
    }
  }
}
