import Services
import Testing

@testable import postsctl

@Suite struct `Visible text` {
  @Test(
    arguments: [
      ("plain", "plain", 5),
      ("", "", 0),
      ("\u{1B}[31mred", "␛[31mred", 8),
      ("\u{1B}]52;c;AAAA\u{7}", "␛]52;c;AAAA␇", 12),
      ("a\tb\0c\u{7F}", "a␉b␀c␡", 6),
      ("é\tb\0c\u{7F}", "é␉b␀c␡", 6),
      ("\r\n\n\r\r\n", "⏎⏎⏎⏎", 4),
      ("é\r\n\n\r\r\n", "é⏎⏎⏎⏎", 5),
      ("\u{9B}31m", "\\u{9B}31m", 9),
      ("abc\u{202E}fed", "abc\\u{202E}fed", 14),
      ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}", 17),
      ("a\u{85}b", "a⏎b", 3),
      ("שלום\u{200F}", "שלום\u{200F}", 4),
      ("soft\u{AD}hyphen", "soft\u{AD}hyphen", 11),
      ("\u{AC01}", "\u{AC01}", 2),
      ("\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{11A8}", 2),
      ("a\u{20DD}", "a\u{20DD}", 1),
      ("7\u{20E3}", "7\u{20E3}", 1),
      ("क्", "क्", 1),
    ])
  func `P6: what steers a terminal is shown, and the rest is left alone`(
    source: String, shown: String, width: Int
  ) {
    let visible = VisibleText(source)

    #expect(visible.text == shown)
    #expect(visible.width == width)
  }

  @Test func `P6: no character of the planes in use can steer the terminal`() {
    var scalars = String.UnicodeScalarView()
    for value in UInt32(0)...0x1FFFF {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }

    let shown = VisibleText(String(scalars)).text.unicodeScalars

    #expect(!shown.contains { $0.steersTerminal })
    #expect(shown.contains("␛"))
    #expect(!shown.contains { $0 == "\u{2028}" || $0 == "\u{2029}" })
  }

  @Test func `P6: the short way for ASCII says the same as the long way`() {
    // A single character outside ASCII at the end makes the text take the long way.
    for value in UInt8(0)..<0x80 {
      for next in UInt8(0)..<0x80 {
        let text = String(decoding: [value, next], as: UTF8.self)
        let short = VisibleText(text)
        let long = VisibleText(text + "é")

        #expect(short.text + "é" == long.text)
        #expect(short.width + 1 == long.width)
      }
    }
  }
}
