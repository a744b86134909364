/// Recognises a chain of actions that does not look as if it would end: a pure value.
@usableFromInline
struct LoopWatch: Sendable {
  /// As many generations are no loop yet.
  @usableFromInline static let mostGenerations: UInt32 = 100_000
  /// As many of the last generations are told.
  @usableFromInline static let kept: UInt32 = 8

  private var actions: [String] = []
  private var isReported = false

  /// Whether an action of that generation is to be noted.
  @inlinable
  static func concerns(_ generation: UInt32) -> Bool { generation > mostGenerations - kept }

  @usableFromInline
  init() {}

  /// Notes an action; returns the last ones the first time that a chain is too long.
  mutating func note(_ action: String, generation: UInt32) -> [String]? {
    guard !isReported else { return nil }
    actions = actions.suffix(Int(Self.kept) - 1) + [action]
    guard generation > Self.mostGenerations else { return nil }
    isReported = true
    defer { actions = [] }
    return actions
  }
}
