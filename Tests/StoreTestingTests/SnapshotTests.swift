import FoundationEssentials
import Middleware
import Store
import TestSupport
import Testing

@testable import StoreTesting

/// Texts that are compared with what was recorded.
struct SnapshotTests {
  /// What a snapshot beside a test in a folder of its own says to a text.
  private func inFolder(_ body: (_ snapshot: Snapshot) throws -> Void) async throws {
    try await withTemporaryDirectory { folder in
      try body(Snapshot(named: "help", besides: "\(folder)/MyTests.swift"))
    }
  }

  @Test func `T8: a snapshot is a file beside the test`() {
    #expect(
      Snapshot(named: "after loading", besides: "/a/b/MyTests.swift").path
        == "/a/b/__Snapshots__/MyTests/after loading.txt")
    #expect(Snapshot(named: "x", besides: "T.swift").path == "__Snapshots__/T/x.txt")
  }

  @Test func `T8: where there is none it is recorded and fails once, saying so`() async throws {
    try await inFolder { snapshot in
      #expect(
        snapshot.failure(for: "one\n", record: nil, isRecording: false) == """
          There was no snapshot “help”, so it was recorded and nothing compared.
          Read it, keep it with the test, and run the test again: \(snapshot.path).
          """)
      #expect(snapshot.failure(for: "one\n", record: nil, isRecording: false) == nil)
      let file = try String(contentsOfFile: snapshot.path, encoding: .utf8)
      #expect(file == "one\n")
    }
  }

  @Test func `T8: another text fails with the lines that differ and how to record`() async throws {
    try await inFolder { snapshot in
      _ = snapshot.failure(
        for: "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n", record: nil, isRecording: false)
      #expect(
        snapshot.failure(
          for: "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\n", record: nil, isRecording: false) == """
            “help” is not as recorded (- recorded, + now):
              …
              b
              c
              d
            - e
            + E
              f
              g
              h
              …
            If it is right now, record it: `record: true`, or run the tests with MILLRACE_RECORD=1.
            The snapshot is \(snapshot.path).
            """)
      // And the file is as it was.
      #expect(
        snapshot.failure(
          for: "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n", record: nil, isRecording: false) == nil)
    }
  }

  @Test func `T8: the environment records again, and the call does and fails`() async throws {
    try await inFolder { snapshot in
      _ = snapshot.failure(for: "old", record: nil, isRecording: false)
      #expect(snapshot.failure(for: "new", record: nil, isRecording: true) == nil)
      #expect(snapshot.failure(for: "new", record: nil, isRecording: false) == nil)
      #expect(snapshot.failure(for: "old", record: false, isRecording: true) != nil)
      #expect(snapshot.failure(for: "new", record: nil, isRecording: false) == nil)
      #expect(
        snapshot.failure(for: "newer", record: true, isRecording: false) == """
          “help” was recorded, and nothing compared.
          Read it, and take `record: true` out of the call: \(snapshot.path).
          """)
      #expect(snapshot.failure(for: "newer", record: nil, isRecording: false) == nil)
    }
  }

  @Test(arguments: ["", "a/b", "../a", ".hidden"])
  func `T8: a name that is none of a file is refused`(name: String) async throws {
    try await withTemporaryDirectory { folder in
      let snapshot = Snapshot(named: name, besides: "\(folder)/MyTests.swift")
      #expect(
        snapshot.failure(for: "x", record: true, isRecording: true) == """
          “\(name)” cannot name a snapshot.
          It is to be the name of a file: not empty, without `/`, and not beginning with a period.
          """)
    }
  }

  @Test func `T8: a folder that cannot be written is told`() {
    let snapshot = Snapshot(named: "x", besides: "/dev/null/MyTests.swift")
    let failure = snapshot.failure(for: "x", record: nil, isRecording: false)
    #expect(failure?.hasPrefix("The snapshot “x” can be neither read nor written: ") == true)
    #expect(failure?.hasSuffix("Do the tests run where their sources are?") == true)
  }

  @Test(arguments: [
    ("a\n", "a", "  a\n- (a newline at the end)"), ("a", "a\n", "  a\n+ (a newline at the end)"),
    ("", "a", "- (a newline at the end)\n+ a"), ("é", "e\u{301}", "- é\n+ e\u{301}"),
    ("a\r\nb", "a\nb", "- a\\r\n+ a\n  b"), ("a\u{1B}[1m", "a", "- a\\u{1B}[1m\n+ a"),
    ("a\n\nb\n", "a\n\nc\n", "  a\n\n- b\n+ c"), ("x\ny\nz", "z\nx\ny", "+ z\n  x\n  y\n- z"),
  ])
  func `T8: a difference is shown line by line, byte by byte`(
    old: String, new: String, shown: String
  ) {
    #expect(LineDifference(from: old, to: new).description == shown)
  }

  @Test func `T8: a state is recorded part by part, in an order that stays`() {
    struct Post: Equatable { var id: Int, title: String? }
    struct State {
      var posts = [Post(id: 1, title: "a\nb"), Post(id: 2, title: nil)]
      var names = ["b": 2, "a": 1]
      var marks: Set = [3, 1, 2]
      var pair = (1, second: "x")
      var action = Counter.loaded(3)
      var none: [Int] = []
    }
    #expect(
      SnapshotText(State()).text == """
        posts[0].id: 1
        posts[0].title: "a\\nb"
        posts[1].id: 2
        posts[1].title: nil
        names["a"]: 1
        names["b"]: 2
        marks: [1, 2, 3]
        pair.0: 1
        pair.second: "x"
        action: StoreTestingTests.Counter.loaded(3)
        none: []

        """)
    #expect(SnapshotText(7).text == "7\n")
    #expect(SnapshotText("as it is").text == "as it is")
    #expect(SnapshotText(["one", "two"]).text == "one\ntwo\n")
  }

  @Test func `T8: a failure is an issue of the running test, at its line`() {
    let line = #line + 2
    withKnownIssue {
      assertSnapshot(of: "x", named: "a/b")
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.contains { $0.rawValue.hasPrefix("“a/b” cannot name a snapshot.") }
    }
  }

  @Test func `T8: a log is compared with the snapshot that is kept beside this test`() async {
    let lines = Recorder<String>()
    let store = TestStore(
      initialState: CounterState(), reducer: counterReducer,
      middleware: [
        Middleware<CounterState> { action, context, next in
          lines.record("\(context.identity.number) \(action)")
          return next(action)
        }, createMiddleware(items: [loadCount { 3 }]),
      ])
    await store.send(Counter.load) { $0.isLoading = true }
    await store.receive(Counter.loaded(3)) { $0 = CounterState(count: 3) }
    await store.finish()
    assertSnapshot(of: lines.values, named: "log")
    assertSnapshot(of: store.state, named: "state")
  }
}
