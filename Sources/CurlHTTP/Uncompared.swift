/// A value that travels with others and counts for nothing when they are compared or hashed.
struct Uncompared<Value: Sendable>: Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

extension Uncompared: Hashable {
  static func == (_: Uncompared, _: Uncompared) -> Bool { true }

  func hash(into _: inout Hasher) {}
}
