/// A part of the state over time: the value that it has, then each that it comes to have.
///
/// Made with ``Store/values(of:buffering:)``, and used like any other asynchronous sequence. It
/// does not keep the store alive, and holds nothing of it until it is iterated.
///
/// Each iteration is a subscription of its own, which begins with its iterator. It ends when the
/// store goes, when the iterating task is cancelled, and when the iterator is given up, as a loop
/// does that is left with `break` or `return`. An iterator belongs to one task: awaiting its next
/// value in two at once stops the program. Tasks that want the same values iterate the sequence,
/// each for itself.
public struct StoreValues<Value: Sendable>: AsyncSequence, Sendable {
  /// Which values are kept while the iterating task is busy.
  public typealias BufferingPolicy = AsyncStream<Value>.Continuation.BufferingPolicy

  private let policy: BufferingPolicy
  private let subscribe: @Sendable (@escaping @Sendable (Value) -> Void) -> StoreSubscription?

  /// Creates a sequence of what `subscribe` tells, unless it answers nil because the store is gone.
  init(
    buffering policy: BufferingPolicy,
    subscribe: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> StoreSubscription?
  ) {
    self.policy = policy
    self.subscribe = subscribe
  }

  /// Subscribes, and returns an iterator over what the subscription is told.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: policy)
    let source = Source(continuation)
    if let subscription = subscribe({ source.send($0) }) {
      continuation.onTermination = { _ in subscription.cancel() }
    }
    return stream.makeAsyncIterator()
  }

  /// The sending end of a stream, which ends with its last reference.
  ///
  /// The observer in the store holds it, and so does each value under way. So the stream ends when
  /// the store lets go of the observer, for whatever reason, and not before the last value is
  /// through.
  private final class Source: Sendable {
    private let continuation: AsyncStream<Value>.Continuation

    init(_ continuation: AsyncStream<Value>.Continuation) { self.continuation = continuation }

    func send(_ value: Value) { continuation.yield(value) }

    deinit { continuation.finish() }
  }
}
