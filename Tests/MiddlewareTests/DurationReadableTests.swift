import Testing

@testable import Middleware

struct DurationReadableTests {
  @Test(
    arguments: [
      (.zero, "0 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1_000), "1.0 µs"),
      (.nanoseconds(12_599), "12.5 µs"), (.nanoseconds(999_999), "999.9 µs"),
      (.microseconds(3_250), "3.2 ms"), (.milliseconds(999), "999.0 ms"),
      (.milliseconds(75_990), "75.9 s"), (.seconds(86_400), "86400.0 s"),
      (.nanoseconds(-1_500), "-1.5 µs"), (.milliseconds(-2_500), "-2.5 s"),
    ] as [(Duration, String)])
  func `M5: a duration is shown in the largest unit of which it has at least one`(
    duration: Duration, text: String
  ) {
    #expect(duration.readable == text)
  }
}
