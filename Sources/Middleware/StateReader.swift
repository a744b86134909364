package import Store

/// Reads a part of the state of the store that an item belongs to.
///
/// Call it for the part as it is at that moment. It may be kept and called on any thread; it
/// answers nil once the store is gone.
///
/// ```swift
/// guard let posts = posts() else { return }
/// ```
public struct StateReader<Value>: Sendable {
  package let store: any StoreReferencing
  private let read: @Sendable () -> Value?
  private let wait:
    @Sendable (UInt64, @escaping @Sendable (Value) -> Bool, @escaping @Sendable () -> Void) -> Bool

  package init<State>(
    _ store: StoreReference<State>, _ selector: @escaping @Sendable (State) -> Value
  ) {
    self.store = store
    read = { store.read(selector) }
    wait = { id, isMet, deliver in
      store.take(
        id: id, nil, where: { _, state in isMet(selector(state)) },
        unless: { isMet(selector($0)) }, deliver: { _ in deliver() })
    }
  }

  /// Returns the part as it is now, or nil once the store is gone.
  public func callAsFunction() -> Value? { read() }

  /// Waits in the store until the part is as it should be; answers false if it is already, or the
  /// store is gone.
  package func wait(
    id: UInt64, until isMet: @escaping @Sendable (Value) -> Bool,
    deliver: @escaping @Sendable () -> Void
  ) -> Bool {
    wait(id, isMet, deliver)
  }
}
