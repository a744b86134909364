/// A variable that any thread may read and write.
public final class Box<Value: Sendable>: Sendable {
  private let storage: TestLock<Value>

  /// Creates a box that holds a value.
  public init(_ value: Value) { storage = TestLock(value) }

  /// What the box holds.
  public var value: Value {
    get { storage.withLock { $0 } }
    set { exchange(newValue) }
  }

  /// Puts a value into the box and returns the one before, which is never released under the lock.
  @discardableResult
  public func exchange(_ new: Value) -> Value {
    storage.withLock { value in
      let old = value
      value = new
      return old
    }
  }
}
