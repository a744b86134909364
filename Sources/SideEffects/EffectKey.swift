/// What one run of an effect is about, so that runs about different things leave each other alone.
///
/// Keys of different types are never equal. An effect that was given no key has one: itself. A key
/// that does not equal itself, as a number that is not a number, is about nothing else.
struct EffectKey: Sendable {
  private let value: (any Hashable & Sendable)?

  init(_ value: (any Hashable & Sendable)?) {
    // A registry would never find such a key again.
    let isLost = value.map { !$0.isEqual(to: $0) } ?? false
    self.value = isLost ? Unequalled() : value
  }

  private final class Unequalled: Hashable, Sendable {
    static func == (first: Unequalled, second: Unequalled) -> Bool { first === second }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}

extension EffectKey: Hashable {
  static func == (first: EffectKey, second: EffectKey) -> Bool {
    switch (first.value, second.value) {
    case (nil, nil): true
    case (let first?, let second?): first.isEqual(to: second)
    case (nil, _?), (_?, nil): false
    }
  }

  func hash(into hasher: inout Hasher) {
    value?.hash(into: &hasher)
  }
}

extension EffectKey: CustomStringConvertible {
  var description: String {
    value.map { String(describing: $0) } ?? "none"
  }
}

extension Equatable {
  fileprivate func isEqual<Other: Equatable>(to other: Other) -> Bool {
    Other.self == Self.self && other as? Self == self
  }
}
