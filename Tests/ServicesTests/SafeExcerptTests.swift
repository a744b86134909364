import Testing

@testable import Services

@Suite struct SafeExcerptTests {
  @Test(arguments: [
    ("plain, ünïcödé 水 🌊", "plain, ünïcödé 水 🌊"),
    ("  a \r\n\t b  ", "a b"),
    ("\u{1B}]52;c;x\u{07}", "\u{FFFD}]52;c;x\u{FFFD}"),
    ("a\u{9B}31m\u{7F}", "a\u{FFFD}31m\u{FFFD}"),
    ("\u{202E}evil\u{2066}", "\u{FFFD}evil\u{FFFD}"),
    ("👩\u{200D}🔧 \u{200F}\u{E000}", "👩\u{200D}🔧 \u{200F}\u{E000}"),
    ("a\u{2028}b\u{85}c", "a b c"),
    ("", ""),
    ("\n \n", ""),
  ])
  func `P6: an excerpt has nothing in it that moves a cursor`(text: String, excerpt: String) {
    #expect(SafeExcerpt(text).description == excerpt)
  }

  @Test func `D2: an excerpt ends after 120 scalars`() {
    #expect(SafeExcerpt(String(repeating: "x", count: 120)).description.count == 120)
    #expect(
      SafeExcerpt(String(repeating: "x", count: 121)).description
        == String(repeating: "x", count: 120) + "…")
    // One character may have any number of marks on it.
    #expect(
      SafeExcerpt("e" + String(repeating: "\u{301}", count: 9_999)).description.unicodeScalars.count
        == 121)
    // White space at the end is not worth an ellipsis.
    #expect(
      SafeExcerpt(String(repeating: "x", count: 120) + "  \n").description
        == String(repeating: "x", count: 120))
  }

  @Test func `D2: an excerpt of bytes repairs what is no text`() {
    #expect(SafeExcerpt([0x61, 0xC3, 0x28, 0xFF]).description == "a\u{FFFD}(\u{FFFD}")
    #expect(SafeExcerpt([UInt8](repeating: 0x61, count: 1_000_000)).description.count == 121)
  }
}
