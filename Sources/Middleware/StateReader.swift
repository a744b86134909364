/// Reads a part of the state of the store that an item belongs to.
///
/// Call it for the part as it is at that moment. It may be kept and called on any thread; it
/// answers nil once the store is gone.
///
/// ```swift
/// guard let posts = posts() else { return }
/// ```
public struct StateReader<Value>: Sendable {
  private let read: @Sendable () -> Value?

  package init(_ read: @escaping @Sendable () -> Value?) { self.read = read }

  /// Returns the part as it is now, or nil once the store is gone.
  public func callAsFunction() -> Value? { read() }
}
