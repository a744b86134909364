import Testing

@testable import postsctl

/// A tool that exists only to be parsed.
private let tool = ToolDeclaration(
  name: "tool", version: "1.0", summary: "Does things.",
  sharedOptions: [
    OptionDeclaration(name: "level", valueName: "N", summary: "How much."),
    OptionDeclaration(name: "label", valueName: "TEXT", summary: "What to call it."),
  ],
  commands: [
    CommandDeclaration(
      name: "run", summary: "Runs.",
      options: [OptionDeclaration(name: "speed", valueName: "N", summary: "How fast.")],
      examples: []),
    CommandDeclaration(name: "stop", summary: "Stops.", examples: []),
  ])

private func parse(_ arguments: [String]) throws(UsageError) -> ArgumentParser.Request {
  try ArgumentParser(tool: tool).parse(arguments)
}

private func parsed(_ arguments: String...) throws -> ParsedArguments {
  guard case .command(let parsed) = try parse(arguments) else {
    throw UsageError(message: "not a command")
  }
  return parsed
}

@Suite struct `Argument parser` {
  @Test func `P7: a value follows its option, or stands behind an equals sign`() throws {
    let separate = try parsed("run", "--speed", "3")
    let joined = try parsed("run", "--speed=3")

    #expect(separate.command.name == "run")
    #expect(separate.values == ["speed": "3"])
    #expect(joined.values == separate.values)
  }

  @Test func `P7: only the first equals sign parts option and value`() throws {
    #expect(try parsed("run", "--label=a=b").values == ["label": "a=b"])
  }

  @Test func `P7: a value behind an equals sign can be empty`() throws {
    #expect(try parsed("run", "--label=").values == ["label": ""])
    #expect(try parsed("run", "--label", "").values == ["label": ""])
  }

  @Test(arguments: ["-5", "--", "--help", "-h", "--speed", "-", "--speed=3"])
  func `P7: the argument after an option is its value, whatever it looks like`(
    value: String
  ) throws {
    #expect(try parsed("run", "--label", value).values == ["label": value])
  }

  @Test func `P7: shared options may stand before the command`() throws {
    let parsed = try parsed("--level", "2", "run", "--speed", "3")

    #expect(parsed.values == ["level": "2", "speed": "3"])
  }

  @Test func `P7: a double dash ends the options`() throws {
    #expect(try parsed("--level", "2", "--", "run").command.name == "run")
    #expect(throws: UsageError(message: "unexpected argument '--help'.", command: "run")) {
      try parse(["run", "--", "--help"])
    }
  }

  @Test(
    arguments: [
      ([], "no command was given: expected run or stop.", nil),
      ([""], "unknown command ''.", nil),
      (["rnu"], "unknown command 'rnu'. Did you mean 'run'?", nil),
      (["walk"], "unknown command 'walk'.", nil),
      (["-"], "unknown command '-'.", nil),
      (
        ["run", "--label", "a\u{FFFD}b", "--zzz"],
        "the argument 'a\u{FFFD}b' has bytes that are not UTF-8. Type it in UTF-8.", nil
      ),
      (["run", "fast"], "unexpected argument 'fast'.", "run"),
      (["run", "--lvel", "1"], "unknown option '--lvel'. Did you mean '--level'?", "run"),
      (["run", "-level", "1"], "unknown option '-level'. Did you mean '--level'?", "run"),
      (["run", "—level"], "unexpected argument '—level'.", "run"),
      (["run", "--lev=1"], "unknown option '--lev'. Did you mean '--level'?", "run"),
      (["run", "--zzz"], "unknown option '--zzz'.", "run"),
      (["run", "-x"], "unknown option '-x'.", "run"),
      (["run", "--Level", "1"], "unknown option '--Level'. Did you mean '--level'?", "run"),
      (
        ["stop", "--speed", "1"],
        "unknown option '--speed' for 'stop'. It belongs to 'run' and stands after it.", "stop"
      ),
      (
        ["--speed", "1", "run"],
        "unknown option '--speed' before the command. It belongs to 'run' and stands after it.",
        nil
      ),
      (["run", "--speed"], "--speed needs a value: --speed N.", "run"),
      (["run", "--speed", "1", "--speed=1"], "--speed was given twice.", "run"),
      (["run", "--help=yes"], "--help takes no value.", "run"),
      (["run", "--version="], "--version takes no value.", "run"),
      (
        ["run", "--label", "--speed", "3"],
        "unexpected argument '3'. --label took '--speed' as its value.", "run"
      ),
    ] as [([String], String, String?)])
  func `P7: what cannot be understood is named, with the likely cause`(
    arguments: [String], message: String, command: String?
  ) {
    #expect(throws: UsageError(message: message, command: command)) { try parse(arguments) }
  }

  @Test(
    arguments: [
      (["--help"], nil), (["-h"], nil), (["run", "-h"], "run"), (["-h", "run"], "run"),
      (["run", "--zzz", "--help"], "run"), (["run", "\u{FFFD}", "--help"], "run"),
      (["rnu", "--help"], nil),
      (["run", "fast", "--help"], "run"), (["run", "--version", "--help"], "run"),
    ] as [([String], String?)])
  func `P7: help is shown whatever else is wrong`(arguments: [String], command: String?) throws {
    guard case .help(let shown) = try parse(arguments) else {
      Issue.record("\(arguments) asked for help and got something else.")
      return
    }
    #expect(shown?.name == command)
  }

  @Test(arguments: [["--version"], ["run", "--version"], ["--zzz", "--version"]])
  func `P7: the version is shown whatever else is wrong`(arguments: [String]) throws {
    guard case .version = try parse(arguments) else {
      Issue.record("\(arguments) asked for the version and got something else.")
      return
    }
  }
}

@Suite struct `Parsed arguments` {
  private enum Mode: String, CaseIterable { case fast, slow }

  private let mode = Option<Mode>(choice: "speed", valueName: "MODE", summary: "How fast.")
  private let label = Option<String>("label", valueName: "TEXT", summary: "What to call it.")

  @Test func `a choice is one of its words`() throws {
    #expect(try parsed("run", "--speed", "slow").value(of: mode) == .slow)
    #expect(try parsed("run").value(of: mode) == nil)
  }

  @Test func `P7: a wrong choice names the right ones and the one that was meant`() throws {
    let message = "--speed cannot be 'fsat': expected fast or slow. Did you mean 'fast'?"

    #expect(throws: UsageError(message: message, command: "run")) {
      try parsed("run", "--speed", "fsat").value(of: mode)
    }
  }

  @Test func `P7: an empty value is called empty`() throws {
    let message = "--speed cannot be an empty value: expected fast or slow."

    #expect(throws: UsageError(message: message, command: "run")) {
      try parsed("run", "--speed=").value(of: mode)
    }
  }

  @Test func `a missing option is named with its value`() throws {
    #expect(throws: UsageError(message: "run needs --label TEXT.", command: "run")) {
      try parsed("run").required(label)
    }
  }

  @Test func `P7: a missing option is explained by the one that swallowed it`() throws {
    let message = "run needs --label TEXT. --speed took '--label' as its value."

    #expect(throws: UsageError(message: message, command: "run")) {
      try parsed("run", "--speed", "--label").required(label)
    }
    #expect(throws: UsageError(message: "run needs --label TEXT.", command: "run")) {
      try parsed("run", "--speed=--label").required(label)
    }
  }
}
