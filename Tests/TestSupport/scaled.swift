/// How often to repeat what is promised for `count` repetitions: that often in release builds, and
/// less often where the build is slower by as much.
public func scaled(_ count: Int) -> Int {
  #if DEBUG
    count / (isThreadSanitized ? 50 : 10)
  #else
    count
  #endif
}
