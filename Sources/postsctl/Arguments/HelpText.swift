/// Writes the help of a tool and of its commands from their declarations.
struct HelpText: Sendable {
  /// The widest line, in columns.
  static let width = 80

  /// The declarations to describe.
  let tool: ToolDeclaration

  /// Returns the help of the whole tool.
  func text() -> String {
    sections([
      wrapped(tool.summary),
      "Usage: \(tool.name) COMMAND [OPTIONS]",
      list("Commands:", tool.commands.map { ($0.name, $0.summary) }),
      list("Options of every command:", rows(tool.options(of: nil))),
      list("Environment:", tool.environment.map { ($0.name, $0.summary) }),
      list("Exit codes:", tool.exitCodes.map { ($0.name, $0.summary) }),
      wrapped("See '\(tool.name) COMMAND --help' for the options of a command and examples."),
    ])
  }

  /// Returns the help of a command.
  func text(for command: CommandDeclaration) -> String {
    let required = command.options.filter(\.isRequired).map { " \($0.usage)" }.joined()
    return sections([
      wrapped(command.summary),
      "Usage: \(tool.name) \(command.name)\(required) [OPTIONS]",
      list("Options:", rows(tool.options(of: command))),
      list("Environment:", tool.environment.map { ($0.name, $0.summary) }),
      (["Examples:"] + command.examples.map { "  # \($0.purpose)\n  \($0.line)" })
        .joined(separator: "\n"),
    ])
  }

  private func sections(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func rows(_ options: [OptionDeclaration]) -> [(String, String)] {
    options.map { option in
      (option.shortName.map { "-\($0), \(option.usage)" } ?? option.usage, option.summary)
    }
  }

  private func list(_ title: String, _ rows: [(label: String, summary: String)]) -> String {
    guard let column = rows.map(\.label.count).max().map({ $0 + 4 }) else { return "" }
    let lines = rows.map { row in
      let padding = String(repeating: " ", count: column - 2 - row.label.count)
      return "  \(row.label)\(padding)"
        + wrapped(row.summary, indentation: column, width: Self.width - column)
    }
    return ([title] + lines).joined(separator: "\n")
  }

  private func wrapped(_ text: String, indentation: Int = 0, width: Int = width) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indentation))
  }
}
