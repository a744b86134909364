import Services

/// A JSON document, written pretty, with sorted keys.
enum JSONValue: Hashable, Sendable {
  case null
  case number(Int64)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The document as text, with a newline at its end.
  var document: String {
    var text: [UInt8] = []
    write(into: &text, indentation: "")
    return String(decoding: text, as: UTF8.self) + "\n"
  }

  private func write(into text: inout [UInt8], indentation: String) {
    switch self {
    case .null: text += "null".utf8
    case .number(let number): text += String(number).utf8
    case .string(let string): Self.write(string, into: &text)
    case .array(let elements):
      Self.write(elements, between: ("[", "]"), into: &text, indentation: indentation) {
        $0.write(into: &$1, indentation: $2)
      }
    case .object(let members):
      let sorted = members.sorted { $0.key < $1.key }
      Self.write(sorted, between: ("{", "}"), into: &text, indentation: indentation) {
        Self.write($0.key, into: &$1)
        $1 += ": ".utf8
        $0.value.write(into: &$1, indentation: $2)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between brackets: (String, String), into text: inout [UInt8],
    indentation: String, write: (Element, inout [UInt8], String) -> Void
  ) {
    text += brackets.0.utf8
    let inner = indentation + "  "
    for (index, element) in elements.enumerated() {
      text += (index == 0 ? "\n" : ",\n").utf8
      text += inner.utf8
      write(element, &text, inner)
    }
    if !elements.isEmpty { text += "\n\(indentation)".utf8 }
    text += brackets.1.utf8
  }

  /// Writes a string and escapes what JSON requires, and what could steer a terminal.
  private static func write(_ string: String, into text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: text += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case 0x20...0x7E: text.append(UInt8(scalar.value))
      case 0x09: text += "\\t".utf8
      case 0x0A: text += "\\n".utf8
      case 0x0D: text += "\\r".utf8
      // Legal in JSON, but a line break to JavaScript and to some that read line by line.
      case 0x2028, 0x2029: text += escape(scalar).utf8
      case _ where scalar.steersTerminal: text += escape(scalar).utf8
      default: text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  /// The escape of a character of the basic plane, where all that needs one stands.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
