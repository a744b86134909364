/// Takes a command line apart by the declarations of a tool.
///
/// The rules are those of `getopt_long`, without its abbreviations: the value of an option is the
/// rest of its own argument after `=`, or else the next argument whatever it looks like, so that a
/// value out of a variable is never mistaken for an option. `--` ends the options. Options that
/// all commands share may also stand before the command. An option may be given once.
///
/// A request for help wins over every error, because whoever makes an error is the one who asks.
struct ArgumentParser: Sendable {
  /// What a command line asks for.
  enum Request: Sendable {
    /// The help of a command, or of the whole tool.
    case help(CommandDeclaration?)
    /// The version.
    case version
    /// A command and its arguments.
    case command(ParsedArguments)
  }

  /// The declarations to go by.
  let tool: ToolDeclaration

  /// Understands the arguments, which come without the name of the program.
  func parse(_ arguments: [String]) throws(UsageError) -> Request {
    var scan = Scan(tool: tool)
    scan.run(over: arguments)
    if scan.wantsHelp { return .help(scan.command) }
    if scan.wantsVersion { return .version }
    if let error = scan.error { throw error }
    guard let command = scan.command else {
      throw UsageError(
        message: "no command was given: expected \(Self.choice(tool.commands.map(\.name))).")
    }
    return .command(
      ParsedArguments(command: command, values: scan.values, suspects: scan.suspects))
  }
}

extension ArgumentParser {
  /// Lists words of which one is to be chosen: `a, b or c`.
  static func choice(_ words: [String]) -> String {
    let list = words.dropLast().joined(separator: ", ")
    return ([list] + words.suffix(1)).filter { !$0.isEmpty }.joined(separator: " or ")
  }

  /// One pass over the arguments.
  ///
  /// It goes on after an error, to see whether help is asked for.
  private struct Scan {
    let tool: ToolDeclaration
    var command: CommandDeclaration?
    var values: [String: String] = [:]
    var suspects: [String] = []
    var wantsHelp = false
    var wantsVersion = false
    /// The first thing that was wrong.
    var error: UsageError?

    init(tool: ToolDeclaration) { self.tool = tool }

    mutating func run(over arguments: [String]) {
      checkEncoding(of: arguments)
      var rest = arguments[...]
      while let argument = rest.popFirst() {
        if argument == "--" {
          for operand in rest { take(operand: operand) }
          return
        }
        if argument.hasPrefix("-"), argument != "-" {
          take(option: argument, rest: &rest)
        } else {
          take(operand: argument)
        }
      }
    }

    /// Refuses what the system could not hand over as it was typed.
    ///
    /// Swift puts U+FFFD where bytes are not UTF-8. A post or a file name with it would not be the
    /// one that was meant.
    private mutating func checkEncoding(of arguments: [String]) {
      guard let argument = arguments.first(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else {
        return
      }
      fail("the argument '\(argument)' has bytes that are not UTF-8. Type it in UTF-8.")
    }

    private mutating func take(operand: String) {
      guard command == nil else {
        return fail("unexpected argument '\(operand)'." + suspicion)
      }
      guard let named = tool.commands.first(where: { $0.name == operand }) else {
        let suggestion = Suggestion.closest(to: operand, among: tool.commands.map(\.name))
        return fail("unknown command '\(operand)'." + Suggestion.question(suggestion))
      }
      command = named
    }

    private mutating func take(option argument: String, rest: inout ArraySlice<String>) {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let spelling = String(parts[0])
      let inline = parts.count > 1 ? String(parts[1]) : nil
      guard let option = declared(spelling) else { return fail(unknown: spelling) }
      guard option.valueName != nil else {
        guard inline == nil else { return fail("\(option.spelling) takes no value.") }
        if option == .help { wantsHelp = true }
        if option == .version { wantsVersion = true }
        return
      }
      guard let value = inline ?? rest.popFirst() else {
        return fail("\(option.spelling) needs a value: \(option.usage).")
      }
      if inline == nil, declared(value) != nil { suspects.append(option.name) }
      guard values.updateValue(value, forKey: option.name) == nil else {
        return fail("\(option.spelling) was given twice.")
      }
    }

    private func declared(_ spelling: String) -> OptionDeclaration? {
      tool.options(of: command).first {
        $0.spelling == spelling || $0.shortName.map { "-\($0)" } == spelling
      }
    }

    private mutating func fail(unknown spelling: String) {
      let subject = "unknown option '\(spelling)'"
      let owner = tool.commands.first { $0.options.contains { $0.spelling == spelling } }
      if let owner {
        return fail("\(subject)\(place). It belongs to '\(owner.name)' and stands after it.")
      }
      let suggestion = Suggestion.closest(
        to: spelling, among: tool.options(of: command).map(\.spelling))
      fail("\(subject)." + Suggestion.question(suggestion))
    }

    private var place: String {
      command.map { " for '\($0.name)'" } ?? " before the command"
    }

    private var suspicion: String {
      guard let command else { return "" }
      return ParsedArguments(command: command, values: values, suspects: suspects).suspicion
    }

    private mutating func fail(_ message: String) {
      guard error == nil else { return }
      error = UsageError(message: message, command: command?.name)
    }
  }
}
