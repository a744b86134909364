/// What a memoised selector remembers: its last computation, and how many there were.
///
/// Its lock is held only to take the computation out or to put one in. The `==` of the inputs, the
/// computation itself, and the `deinit` of what a former one left are code of the user's.
final class SelectorMemory<Input: Equatable & Sendable, Output: Sendable>: Sendable {
  private final class Computation: Sendable {
    let input: Input
    let output: Output

    init(input: Input, output: Output) {
      self.input = input
      self.output = output
    }
  }

  private let compute: @Sendable (Input) -> Output
  private let memory = Lock<(last: Computation?, count: Int)>((nil, 0))

  init(compute: @escaping @Sendable (Input) -> Output) { self.compute = compute }

  func output(for input: Input) -> Output {
    if let last = memory.withLock({ $0.last }), last.input == input { return last.output }
    let computation = Computation(input: input, output: compute(input))
    let former = memory.withLock { memory in
      defer { memory = (computation, memory.count + 1) }
      return memory.last
    }
    _ = consume former
    return computation.output
  }

  var recomputations: Int { memory.withLock { $0.count } }
}
