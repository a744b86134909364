import Testing

@testable import postsctl

@Suite struct `Suggestions` {
  @Test(
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "ab", 2), ("title", "title", 0), ("tilte", "title", 1),
      ("ttle", "title", 1), ("titlee", "title", 1), ("totle", "title", 1), ("abc", "xyz", 3),
      ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
  func `the distance counts inserted, lost, replaced and swapped letters`(
    source: String, target: String, distance: Int
  ) {
    #expect(Suggestion.editDistance(from: source, to: target) == distance)
    #expect(Suggestion.editDistance(from: target, to: source) == distance)
  }

  @Test(
    arguments: [
      ("fetch-post", "fetch-posts"), ("fetch-user", "fetch-users"), ("fetchposts", "fetch-posts"),
      ("FETCH-POSTS", "fetch-posts"), ("creatе-post", "create-post"), ("create", "create-post"),
      ("—fetch-posts", "fetch-posts"),
    ])
  func `P7: a slip of the finger finds the word that was meant`(typed: String, meant: String) {
    let words = ["fetch-users", "fetch-posts", "create-post"]

    #expect(Suggestion.closest(to: typed, among: words) == meant)
  }

  @Test(arguments: ["", "-", "x", "delete-post-now", "list", "c", "bodyxy", "bo!!"])
  func `P7: nothing is suggested for a word that is far from all`(typed: String) {
    #expect(
      Suggestion.closest(to: typed, among: ["fetch-users", "fetch-posts", "create-post", "body"])
        == nil)
  }

  @Test func `the closest of several wins, and the first of equals`() {
    #expect(Suggestion.closest(to: "timeou", among: ["timeouts", "timeout"]) == "timeouts")
    #expect(Suggestion.closest(to: "boddy", among: ["buddy", "body"]) == "buddy")
    #expect(Suggestion.closest(to: "bodys", among: ["bodkin", "body"]) == "body")
  }

  @Test func `an absurdly long word is not compared`() {
    let long = String(repeating: "x", count: 1_000_000)

    #expect(Suggestion.closest(to: long, among: ["fetch-posts"]) == nil)
  }
}
