/// What one run of an effect is about, so that runs about different things leave each other alone.
///
/// Keys of different types are never equal. A key that does not equal itself, as a number that is
/// not a number, is about nothing else.
///
/// An object, since most effects have no key, and nothing is copied faster than no object.
@usableFromInline
final class EffectKey: Sendable {
  let value: any Hashable & Sendable

  @usableFromInline
  init(_ value: any Hashable & Sendable) {
    // A registry would never find such a key again.
    self.value = value.isEqual(to: value) ? value : Unequalled()
  }

  private final class Unequalled: Hashable, Sendable {
    static func == (first: Unequalled, second: Unequalled) -> Bool { first === second }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}

extension EffectKey: Hashable {
  @usableFromInline static func == (first: EffectKey, second: EffectKey) -> Bool {
    first.value.isEqual(to: second.value)
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    value.hash(into: &hasher)
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
