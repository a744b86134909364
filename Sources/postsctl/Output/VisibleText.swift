import Services

/// Text that others wrote, made safe to show in one line of a terminal.
///
/// A server's text may hold escape sequences that move the cursor, recolour the screen or fill the
/// clipboard, and controls that reorder what follows. Here a line break becomes `⏎`, a control
/// character its picture (`␛` for escape), and what has no picture its number, as `\u{202E}`.
struct VisibleText: Hashable, Sendable {
  /// The text, safe to print.
  let text: String
  /// The columns that a terminal gives it.
  let width: Int

  /// Makes text safe.
  init(_ source: String) {
    // Most of what is printed is ASCII, and its bytes take a fraction of the time of scalars.
    var safe: [UInt8] = []
    safe.reserveCapacity(source.utf8.count)
    var width = 0
    var previous: UInt8 = 0
    for byte in source.utf8 {
      switch byte {
      case 0x20...0x7E: safe.append(byte)
      case 0x0A where previous == 0x0D:
        previous = byte
        continue
      case 0x0A, 0x0D: safe.append(contentsOf: "⏎".utf8)
      case 0x7F: safe.append(contentsOf: "␡".utf8)
      case 0x80...:
        self.text = Self.safe(source)
        self.width = DisplayWidth.columns(of: self.text)
        return
      default: safe.append(contentsOf: [0xE2, 0x90, 0x80 + byte])
      }
      width += 1
      previous = byte
    }
    self.text = String(decoding: safe, as: UTF8.self)
    self.width = width
  }

  private static func safe(_ source: String) -> String {
    var safe = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in source.unicodeScalars {
      switch scalar.value {
      case 0x0A where previous == "\r": break
      case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: safe.append("⏎")
      case 0x7F: safe.append("␡")
      case 0..<0x20:
        if let picture = Unicode.Scalar(0x2400 + scalar.value) { safe.append(picture) }
      default:
        if scalar.steersTerminal {
          safe.append(contentsOf: number(of: scalar).unicodeScalars)
        } else {
          safe.append(scalar)
        }
      }
      previous = scalar
    }
    return String(safe)
  }

  private static func number(of scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
