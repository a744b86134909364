import Foundation
import TestSupport
import Testing

/// How much the type checker does for what users write much of, counted and not timed:
/// `make compile-time` tells the milliseconds.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TypeChecker.compiler != nil, "there is no swiftc on the PATH"))
struct CompileTimeTests {
  /// About twice what the two need, and so less than the promised 100 ms.
  ///
  /// | expression | scopes | bytes | time where it was chosen |
  /// |---|---|---|---|
  /// | 50 scoped reducers | 402 | 488,504 | 21 ms |
  /// | 50 effects | 702 | 749,100 | 6 ms |
  private static let limit = TypeChecker.Limit(scopes: 1_500, bytes: 1_500_000)

  @Test func `S21: fifty scoped reducers, and fifty effects, are cheap to type-check`() async throws
  {
    let result = try await TypeChecker.check(
      [try source("FiftyReducers"), try source("FiftyEffects")], within: Self.limit)

    #expect(result.ending == .exit(0), "\(result.errorOutput)")
  }

  @Test func `S21: fifty reducers joined by an operator are not, which this would find`()
    async throws
  {
    // Given the same reducers in a chain of an operator that has many other meanings
    let chain = try source("FiftyReducers")
      .replacing("Reducer<ManyParts>.combine(\n", with: "(\n")
      .replacing("),\n  partReducer", with: ")\n  + partReducer")
    let `operator` = """
      func + <State>(first: Reducer<State>, second: Reducer<State>) -> Reducer<State> {
        .combine(first, second)
      }
      """

    // When
    let result = try await TypeChecker.check([chain + `operator`], within: Self.limit)

    // Then
    #expect(result.ending == .exit(1))
    #expect(
      result.errorOutput.contains("unable to type-check this expression in reasonable time"),
      "\(result.errorOutput)")
  }

  @Test(arguments: [true, false])
  func `M3: a service of another type than the receivers' is refused by the compiler`(
    isRight: Bool
  ) async throws {
    let result = try await TypeChecker.check(
      [
        """
        import Middleware

        protocol Greeting: Sendable {}
        struct Hello: Greeting {}
        struct Other: Sendable {}

        let receivers: ServiceReceivers<any Greeting, MiddlewareItem> = []
        let items = injectService(\(isRight ? "Hello" : "Other")(), into: receivers)
        """
      ], within: Self.limit)

    #expect(result.ending == .exit(isRight ? 0 : 1), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("'Other' does not conform") == !isRight)
  }

  /// A source file of the module that `make compile-time` compiles.
  private func source(_ name: String) throws -> String {
    try String(
      contentsOfFile: Repository.path("Benchmarks/Sources/CompileTime/\(name).swift"),
      encoding: .utf8)
  }
}
