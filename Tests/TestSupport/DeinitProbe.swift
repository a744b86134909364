/// Says when it is released: put it into whatever has to be freed.
public final class DeinitProbe: Sendable {
  private let onDeinit: @Sendable () -> Void

  /// Creates a probe that calls `onDeinit` when its last reference is gone.
  public init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

  deinit { onDeinit() }
}
