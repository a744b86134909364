#if os(Linux)
  import Foundation

  /// How much memory the process has, in bytes; not to be judged under the thread sanitizer.
  public func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return (Int(pages[1]) ?? 0) * 4_096
  }
#endif
