import Dispatch

/// A value behind a concurrent queue: reads overlap, writes are barriers.
final class BaselineGuarded<Value> {
  private let queue = DispatchQueue(label: "baseline.guarded", attributes: .concurrent)
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    queue.sync { stored }
  }

  func mutate(_ change: (inout Value) -> Void) {
    queue.sync(flags: .barrier) { change(&stored) }
  }
}
