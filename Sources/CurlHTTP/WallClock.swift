#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What this machine believes the date is.
enum WallClock {
  /// The seconds since the beginning of 1970, UTC.
  static func secondsSince1970() -> Int { Int(time(nil)) }
}
