import Middleware
import TestSupport
import Testing

struct DifferenceTests {
  struct Post: Equatable { var title: String }
  enum Phase: Equatable { case idle, loading(progress: Int, of: Int), failed(Post) }
  struct State: Equatable {
    var posts: [Post] = []
    var draft: Post?
    var phase = Phase.idle
    var byID: [Int: Post] = [:]
    var saved: Set<Int> = []
  }
  /// Something that is not `Equatable`, and shows its parts.
  struct Open { var post: Post, pair = (1, "a") }

  /// The differences as `path: old → new`.
  static func lines<Value>(_ old: Value, _ new: Value) -> [String] {
    Difference.between(old, new).map { "\($0.path): \($0.old ?? "-") → \($0.new ?? "-")" }
  }

  @Test func `M7: a difference names the path to the smallest part that differs`() {
    let old = State(posts: [Post(title: "a"), Post(title: "b")])
    var new = old
    new.posts[1].title = "c"
    #expect(Self.lines(old, new) == [#"posts[1].title: "b" → "c""#])
  }

  @Test func `M7: elements that only one side has are named`() {
    #expect(Self.lines([1, 2], [1]) == ["[1]: 2 → -"])
    #expect(Self.lines([1], [1, 2]) == ["[1]: - → 2"])
  }

  @Test func `M7: an optional differs as a whole when it was or becomes nil, else in its parts`() {
    var (old, new) = (State(), State())
    new.draft = Post(title: "a")
    #expect(Self.lines(old, new).map { $0.hasPrefix("draft: nil → Optional(") } == [true])
    old.draft = Post(title: "b")
    #expect(Self.lines(old, new) == [#"draft.title: "b" → "a""#])
  }

  @Test func `M7: an enum differs as a whole in another case, in the same one in its parts`() {
    let loading = State(phase: .loading(progress: 1, of: 9))
    #expect(
      Self.lines(loading, State(phase: .loading(progress: 2, of: 9))) == [
        "phase.loading.progress: 1 → 2"
      ])
    #expect(
      Self.lines(State(phase: .failed(Post(title: "a"))), State(phase: .failed(Post(title: "b"))))
        == [#"phase.failed.title: "a" → "b""#])
    #expect(Self.lines(loading, State()).map { $0.hasPrefix("phase: ") } == [true])
  }

  @Test func `M7: a dictionary differs key by key and a set member by member, in one order`() {
    let old = State(byID: [3: Post(title: "a"), 1: Post(title: "b")], saved: [1, 2])
    let new = State(byID: [3: Post(title: "c"), 2: Post(title: "d")], saved: [2, 3])
    #expect(
      Difference.between(old, new).map(\.path) == [
        "byID[1]", "byID[2]", "byID[3].title", "saved[1]", "saved[3]",
      ])
    #expect(Self.lines(old.saved, new.saved) == ["[1]: 1 → -", "[3]: - → 3"])
  }

  @Test func `M7: values that are not Equatable differ in their parts`() {
    #expect(
      Self.lines(Open(post: Post(title: "a")), Open(post: Post(title: "b"), pair: (2, "a"))) == [
        #"post.title: "a" → "b""#, "pair.0: 1 → 2",
      ])
    #expect(Self.lines(Open(post: Post(title: "a")), Open(post: Post(title: "a"))) == [])
  }

  @Test func `M7: parts that are unequal and print alike are named all the same`() {
    struct Opaque: Equatable, CustomStringConvertible {
      let id: Int
      var description: String { "opaque" }
      static func == (first: Opaque, second: Opaque) -> Bool { first.id == second.id }
    }
    struct Holder { var opaque: [Opaque] }
    final class Hidden: Equatable, CustomReflectable {
      var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
      static func == (first: Hidden, second: Hidden) -> Bool { first === second }
    }
    #expect(
      Self.lines(Holder(opaque: [Opaque(id: 1)]), Holder(opaque: [Opaque(id: 2)])) == [
        "opaque[0].id: 1 → 2"
      ])
    #expect(Difference.between(Hidden(), Hidden()).count == 1)
  }

  @Test func `M7: parts that their own == calls equal do not differ`() {
    struct Cached: Equatable {
      var value: Int
      var cache: Int
      static func == (first: Cached, second: Cached) -> Bool { first.value == second.value }
    }
    #expect(Self.lines([Cached(value: 1, cache: 1)], [Cached(value: 1, cache: 2)]) == [])
  }

  private final class Node {
    var value: Int
    var links: [Node] = []
    init(_ value: Int) { self.value = value }
  }

  @Test func `M7: objects that refer to each other in circles are compared once, to an end`() {
    // Given objects of which each refers twice to itself, so that there are very many ways through
    let rings = [1, 2].map { value in
      let node = Node(value)
      node.links = [node, node]
      return node
    }
    #expect(Self.lines(rings[0], rings[1]) == ["value: 1 → 2"])
    #expect(Self.lines(rings[0], rings[0]) == [])
    rings.forEach { $0.links = [] }
  }

  @Test func `M7: a long list of objects is compared as deep as a stack allows`() async {
    await runOnThread {
      let (old, new) = (Node(0), Node(0))
      var nodes = [old, new]
      var ends = [old, new]
      for _ in 0..<10_000 {
        let next = [Node(0), Node(0)]
        for side in 0...1 { ends[side].links = [next[side]] }
        ends = next
        nodes += next
      }
      ends[1].value = 1
      #expect(Self.lines(old, new) == [])
      nodes.forEach { $0.links = [] }
    }
  }

  @Test func `M7: values of different types behind one existential differ as wholes`() {
    let (old, new): (any Sendable, any Sendable) = (1, "1")
    #expect(Self.lines(old, new) == [#": 1 → "1""#])
  }
}
