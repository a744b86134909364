/// A value in a box, so that a large one does not go from one stack frame to the next.
///
/// The stack of a task holds eight values of 64 KiB where it is smallest, and code that is not
/// specialised for their type copies one nearly wherever it is passed on.
@usableFromInline
package final class BoxedValue<Value: Sendable>: Sendable {
  @usableFromInline package let value: Value

  /// Puts a copy into a box; a borrowed value needs no further copy on the way.
  @inlinable
  package init(_ value: borrowing Value) { self.value = copy value }

  /// The value as it is compared and printed part by part.
  package var erased: Any { value }

  /// Whether values of this type are so large that a box is worth its allocation.
  @inlinable static var isNeeded: Bool { MemoryLayout<Value>.size > 1_024 }
}

extension BoxedValue: Equatable where Value: Equatable {
  @inlinable
  package static func == (first: BoxedValue, second: BoxedValue) -> Bool {
    first.value == second.value
  }
}
