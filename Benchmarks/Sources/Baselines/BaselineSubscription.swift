/// A subscriber of any state, as the store keeps it.
public protocol BaselineAnySubscriber: AnyObject {
  /// Takes a value whose type only the subscriber knows.
  func acceptAny(_ value: Any)
}

/// A subscriber that names what it wants to be told.
public protocol BaselineSubscriber: BaselineAnySubscriber {
  /// What is delivered.
  associatedtype Selected
  /// Takes a selected value.
  func accept(_ value: Selected)
}

extension BaselineSubscriber {
  /// Casts the value and drops it if it is another's.
  public func acceptAny(_ value: Any) {
    if let value = value as? Selected {
      accept(value)
    }
  }
}

/// A rule that says which part of the state to deliver, and when.
///
/// Each step, selecting or skipping, is a subscription that listens to the one before it.
public final class BaselineSubscription<Selected> {
  var sink: ((_ old: Selected?, _ new: Selected) -> Void)?

  init() {}

  private init(source: (@escaping (Selected?, Selected) -> Void) -> Void) {
    source { old, new in self.push(from: old, to: new) }
  }

  /// Delivers a part of the value, whether or not it changed.
  public func select<Part>(
    _ selector: @escaping (Selected) -> Part
  ) -> BaselineSubscription<Part> {
    BaselineSubscription<Part> { forward in
      sink = { old, new in forward(old.map(selector), selector(new)) }
    }
  }

  /// Delivers a value only where `isRepeat` finds it different from the one before it.
  public func skipRepeats(
    _ isRepeat: @escaping (_ old: Selected, _ new: Selected) -> Bool
  ) -> BaselineSubscription<Selected> {
    BaselineSubscription { forward in
      sink = { old, new in
        if let old, isRepeat(old, new) {
          return
        }
        forward(old, new)
      }
    }
  }

  func push(from old: Selected?, to new: Selected) {
    sink?(old, new)
  }
}

/// A subscriber and its rule in the store's set, told apart by the subscriber's identity.
final class BaselineSubscriptionBox<State>: Hashable {
  weak var subscriber: (any BaselineAnySubscriber)?
  private let original: BaselineSubscription<State>
  private let identity: ObjectIdentifier

  init<Selected>(
    original: BaselineSubscription<State>, transformed: BaselineSubscription<Selected>,
    subscriber: any BaselineAnySubscriber
  ) {
    self.original = original
    self.subscriber = subscriber
    identity = ObjectIdentifier(subscriber)
    transformed.sink = { [weak self] _, new in self?.subscriber?.acceptAny(new as Any) }
  }

  func deliver(from old: State?, to new: State) {
    original.push(from: old, to: new)
  }

  static func == (left: BaselineSubscriptionBox, right: BaselineSubscriptionBox) -> Bool {
    left.identity == right.identity
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}

@available(*, unavailable)
extension BaselineSubscription: Sendable {}
