/// What one run of an effect is about, so that runs about different things leave each other alone.
///
/// Keys of different types are never equal. A key that does not equal itself, as a number that is
/// not a number, is about nothing else.
///
/// An object, since most effects have no key, and nothing is copied faster than no object.
@usableFromInline
final class EffectKey: Sendable {
  let value: any Hashable & Sendable
  /// Whether the value equals itself; a registry would never find another again by it.
  private let isFound: Bool

  @usableFromInline
  init(_ value: any Hashable & Sendable) {
    self.value = value
    isFound = value.isEqual(to: value)
  }
}

extension EffectKey: Hashable {
  @usableFromInline static func == (first: EffectKey, second: EffectKey) -> Bool {
    first.isFound ? first.value.isEqual(to: second.value) : first === second
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    if isFound { value.hash(into: &hasher) } else { hasher.combine(ObjectIdentifier(self)) }
  }
}

extension EffectKey: CustomStringConvertible {
  @usableFromInline var description: String { String(describing: value) }
}

extension Equatable {
  fileprivate func isEqual<Other: Equatable>(to other: Other) -> Bool {
    Other.self == Self.self && other as? Self == self
  }
}
