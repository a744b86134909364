import Testing

@testable import CurlHTTP

@Suite
struct RetryAfterTests {
  @Test(arguments: [
    ("0", Duration.zero), ("120", .seconds(120)), (" 7\t", .seconds(7)), ("007", .seconds(7)),
    ("-3", .zero), ("-0.5", .zero), ("1.5", .seconds(2)), ("1.0", .seconds(1)),
    ("2.", .seconds(2)), ("9223372036854775807", .seconds(Int.max)),
    ("9223372036854775807.5", .seconds(Int.max)), ("9223372036854775808", .seconds(Int.max)),
    ("99999999999999999999999999", .seconds(Int.max)),
    ("-99999999999999999999999999", .zero),
    ("Thu, 01 Jan 1970 00:17:00 GMT", .seconds(20)),
    ("Thu, 01 Jan 1970 00:16:40 GMT", .zero), ("Sun, 06 Nov 1960 08:49:37 GMT", .zero),
    ("Thu Jan  1 00:17:00 1970", .seconds(20)), ("Thursday, 01-Jan-70 00:17:00 GMT", .seconds(20)),
    ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(253_402_299_799)),
  ])
  func `H7: Retry-After is seconds or a date, and never negative`(
    value: String, delay: Duration
  ) {
    #expect(RetryAfter.delay(value, now: 1_000) == delay)
  }

  @Test(arguments: [
    "", " ", "-", "+3", "abc", "3s", "1e3", "0x10", "1,5", "1.5.5", ".5", "--3", "٣", "3 4",
    "2024-01-01",
  ])
  func `H7: a Retry-After that is neither says nothing`(value: String) {
    #expect(RetryAfter.delay(value, now: 0) == nil)
  }

  @Test(arguments: [Int.min, Int.max])
  func `H7: no clock is too wrong for a date`(now: Int) {
    let delay = RetryAfter.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: now)
    #expect(delay == .seconds(now < 0 ? Int.max : 0))
  }

  @Test func `H7: a date is compared with the server's own, whatever this machine's clock says`() {
    let headers: HTTPHeaders = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT",
    ]
    #expect(headers.retryAfter { 0 } == .seconds(10))
    #expect(HTTPResponse(status: 503, headers: headers).retryAfter == .seconds(10))
  }

  @Test(arguments: [nil, "yesterday"])
  func `H7: without a date of the server, this machine's clock counts`(date: String?) {
    var headers: HTTPHeaders = ["Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"]
    headers["Date"] = date
    #expect(headers.retryAfter { 50 } == .seconds(10))
    // It has been 1970 for long.
    #expect(HTTPResponse(status: 503, headers: headers).retryAfter == .zero)
  }

  @Test func `H7: a response may say nothing about it`() {
    #expect(HTTPResponse(status: 503).retryAfter == nil)
  }
}
