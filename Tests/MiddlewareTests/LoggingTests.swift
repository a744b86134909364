import Foundation
import Middleware
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LoggingTests {
  private enum Hostile: Action { case text(String) }
  private struct Described: Action, CustomStringConvertible { var description: String }

  /// A store whose actions come from line 12 of a file, and what it logs, with 3 µs for each
  /// action.
  private static func logged(
    after links: [Middleware<Journal>] = [], _ use: (Store<Journal>) -> Void
  ) -> [String] {
    let lines = Recorder<String>()
    let logging = Middleware<Journal>.logging(
      clock: SteppingClock(step: .microseconds(3)), to: lines.record)
    use(makeJournal(middleware: [logging] + links))
    return lines.values
  }

  @Test func `M5: a log line has the number, the line, the action, the result and the duration`() {
    let lines = Self.logged { store in
      store.dispatch(Note("A"), fileID: "App/View.swift", line: 12)
      store.dispatch(Increment(), fileID: "App/View.swift", line: 13)
    }
    #expect(
      lines == [
        #"dispatch #1 at App/View.swift:12: Note(text: "A") reduced as commit 1 in 3.0 µs"#,
        "dispatch #2 at App/View.swift:13: Increment() reduced as commit 2 in 3.0 µs",
      ])
  }

  @Test func `M5: a log line says that an action was swallowed`() {
    let lines = Self.logged(after: [.filter { _ in false }]) { store in
      store.dispatch(Increment(), fileID: "App/View.swift", line: 12)
    }
    #expect(lines == ["dispatch #1 at App/View.swift:12: Increment() swallowed in 3.0 µs"])
  }

  @Test func `M5: a log line names the cause`() {
    let answering: Middleware<Journal> = createMiddleware(items: [
      MiddlewareItem.on(Increment.self) { _, dispatch in
        dispatch(Note("A"), fileID: "App/Items.swift", line: 7)
      }
    ])
    let lines = Self.logged(after: [answering]) { store in store.dispatch(Increment()) }
    #expect(
      lines.last == """
        dispatch #2 at App/Items.swift:7, while handling #1: Note(text: "A") \
        reduced as commit 2 in 3.0 µs
        """)
  }

  @Test func `M5: a case of an enum is logged with its type, a description as it is`() {
    let lines = Self.logged { store in
      store.dispatch(Hostile.text("A"), fileID: "App/View.swift", line: 12)
      store.dispatch(Described(description: "described"), fileID: "App/View.swift", line: 13)
    }
    #expect(lines[0].contains(#":12: Hostile.text("A") reduced"#))
    #expect(lines[1].contains(":13: described reduced"))
  }

  @Test(arguments: [
    ("two\nlines", #"two\nlines"#),
    ("carriage\r\nreturn", #"carriage\r\nreturn"#),
    ("\u{1B}[31mred\u{7}", #"\u{1B}[31mred\u{07}"#),
    (
      "next\u{85}line\u{2028}and\u{2029}paragraph", #"next\u{0085}line\u{2028}and\u{2029}paragraph"#
    ),
    ("a\u{202E}b\u{2066}c", #"a\u{202E}b\u{2066}c"#),
    ("nothing\0else", #"nothing\0else"#),
    ("tab\tulator", #"tab\tulator"#),
    ("Grüße 👩‍👩‍👧 שלום", "Grüße 👩‍👩‍👧 שלום"),
  ])
  func `M5: what would break a log line or steer a terminal is made visible`(
    text: String, shown: String
  ) {
    let lines = Self.logged { $0.dispatch(Described(description: text)) }
    #expect(lines.count == 1)
    #expect(lines[0].contains(": \(shown) reduced"), "\(lines[0])")
    #expect(lines[0].unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test func `M5: a log line of a huge action is short and says that it was cut`() {
    let lines = Self.logged { store in
      store.dispatch(Note(String(repeating: "x", count: 1_000_000)))
      store.dispatch(Described(description: String(repeating: "\u{1}", count: 1_000_000)))
    }
    #expect(lines.count == 2)
    for line in lines {
      #expect(line.contains("… reduced as commit"))
      #expect(line.utf8.count < 6_000)
    }
  }

  @Test func `M5: four threads log whole lines, one for each action`() async {
    let lines = Recorder<String>()
    let store = makeJournal(middleware: [.logging(to: lines.record)])

    await runOnThreads(4) { thread in
      for number in 0..<500 { store.dispatch(Note("\(thread)/\(number)")) }
    }

    #expect(lines.count == 2_000)
    let numbers = lines.values.compactMap { line in
      line.wholeMatch(
        of: /dispatch #(\d+) at .*: Note\(text: "\d\/\d+"\) reduced as commit \d+ in .*/
      )
      .flatMap { Int($0.1) }
    }
    #expect(numbers.sorted() == Array(1...2_000))
  }

  @Test func `M5: by default four threads write whole lines to the standard error stream`() async {
    // In a process of its own, whose standard error stream is a pipe that takes long lines in
    // pieces.
    await #expect(processExitsWith: .success) {
      let (pipe, original) = (Pipe(), dup(2))
      dup2(pipe.fileHandleForWriting.fileDescriptor, 2)
      defer { dup2(original, 2) }
      let reducer = Reducer<[String]>.on(Note.self) { texts, note in
        texts = texts.map { _ in note.text + "\(texts.count)" }
      }
      let store = Store(
        initialState: Array(repeating: "", count: 20), reducer: reducer,
        middleware: [.logging(changes: true)])

      async let written: Void = runOnThreads(4) { _ in
        for number in 0..<50 {
          let wheel = number.isMultiple(of: 2) ? "🎡" : "🛞"
          store.dispatch(Note(String(repeating: wheel, count: 600)))
        }
      }
      let text = await runOnThread {
        var bytes = Data()
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < 4 * 50 {
          bytes += pipe.fileHandleForReading.availableData
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      await written

      let line = /dispatch #\d+ at \S+: Note\(text: "[🎡🛞]+… reduced as commit \d+ in [^#]*/
      let lines = text.split(separator: "\n")
      #expect(lines.allSatisfy { $0.wholeMatch(of: line) != nil })
      #expect((lines.map(\.utf8.count).max() ?? 0) > 4_096)
    }
  }

  @Test func `M5: without changes the state before an action is not kept`() {
    // Given a part of the state that notices when it is changed while somebody holds a copy of it
    struct Part: Sendable {
      private var token = DeinitProbe {}
      var copies = 0
      mutating func change() { if !isKnownUniquelyReferenced(&token) { copies += 1 } }
    }
    for changes in [false, true] {
      let store = Store(
        initialState: Part(), reducer: .on(Increment.self) { part, _ in part.change() },
        middleware: [.logging(changes: changes, to: { _ in })])
      for _ in 0..<3 { store.dispatch(Increment()) }
      #expect(store.state.copies == (changes ? 3 : 0))
    }
  }
}
