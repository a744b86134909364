import Middleware
import Testing

@testable import StoreTesting

struct DifferenceExpectationTests {
  struct Post: Equatable { var title: String }
  struct State: Equatable {
    var posts: [Post] = []
    var failure: String?
    var pair = (1, "a")

    static func == (first: State, second: State) -> Bool {
      first.posts == second.posts && first.failure == second.failure && first.pair == second.pair
    }
  }

  @Test(arguments: [
    (
      State(posts: [Post(title: "a")]), State(posts: [Post(title: "b")]),
      [#"posts[0].title: expected "a", got "b""#]
    ),
    (State(), State(failure: "down"), [#"failure: expected nil, got Optional("down")"#]),
    (State(), State(pair: (2, "a")), ["pair.0: expected 1, got 2"]),
  ])
  func `a difference names the path and both values`(
    expected: State, actual: State, lines: [String]
  ) {
    #expect(Difference.between(expected: expected, actual: actual) == lines)
  }

  @Test func `elements that only one side has are named`() {
    #expect(
      Difference.between(expected: [1, 2], actual: [1]) == ["[1]: expected 2, got nothing"])
    #expect(
      Difference.between(expected: [1], actual: [1, 2]) == ["[1]: expected nothing, got 2"])
  }

  @Test func `values that print alike are told as a whole`() {
    struct Opaque: CustomStringConvertible { var description: String { "opaque" } }
    #expect(
      Difference.between(expected: Opaque(), actual: Opaque()) == [
        "expected opaque, got opaque"
      ])
  }
}
