/// A JSON document, written pretty, with sorted keys.
enum JSONValue: Hashable, Sendable {
  case null
  case number(Int64)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The document as text, with a newline at its end.
  var document: String {
    var text = ""
    write(into: &text, indentation: "")
    return text + "\n"
  }

  private func write(into text: inout String, indentation: String) {
    switch self {
    case .null: text += "null"
    case .number(let number): text += String(number)
    case .string(let string): Self.write(string, into: &text)
    case .array(let elements):
      Self.write(elements, between: ("[", "]"), into: &text, indentation: indentation) {
        $0.write(into: &$1, indentation: $2)
      }
    case .object(let members):
      let sorted = members.sorted { $0.key < $1.key }
      Self.write(sorted, between: ("{", "}"), into: &text, indentation: indentation) {
        Self.write($0.key, into: &$1)
        $1 += ": "
        $0.value.write(into: &$1, indentation: $2)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between brackets: (String, String), into text: inout String,
    indentation: String, write: (Element, inout String, String) -> Void
  ) {
    text += brackets.0
    let inner = indentation + "  "
    for (index, element) in elements.enumerated() {
      text += index == 0 ? "\n\(inner)" : ",\n\(inner)"
      write(element, &text, inner)
    }
    if !elements.isEmpty { text += "\n\(indentation)" }
    text += brackets.1
  }

  /// Writes a string and escapes what JSON requires, and what could steer a terminal.
  private static func write(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Legal in JSON, but a line break to JavaScript and to some that read line by line.
      case "\u{2028}", "\u{2029}": text += escape(scalar)
      default:
        if VisibleText.isDangerous(scalar) {
          text += escape(scalar)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }

  /// The escape of a character of the basic plane, where all that needs one stands.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
