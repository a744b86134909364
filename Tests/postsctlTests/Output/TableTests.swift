import Services
import Testing

@testable import postsctl

@Suite struct `Tables` {
  @Test func `P3: columns start below each other, and the last is not padded`() {
    let text = Table([
      Post(id: 1, userID: 10, title: "Short", body: "One"),
      Post(id: 100, userID: 2, title: "Rather longer", body: "Two"),
    ]).text

    #expect(
      text == """
        ID   USER  TITLE          BODY
        1    10    Short          One
        100  2     Rather longer  Two

        """)
  }

  @Test func `P3: a list without records is a line of headings`() {
    #expect(Table([Post]()).text == "ID  USER  TITLE  BODY\n")
    #expect(Table([User]()).text == "ID  NAME  USERNAME  EMAIL  PHONE  WEBSITE\n")
  }

  @Test func `a value that is not there is a dash`() {
    #expect(
      Table([User(id: "u7", name: "Ada", email: "ada@example.com")]).text == """
        ID  NAME  USERNAME  EMAIL            PHONE  WEBSITE
        u7  Ada   -         ada@example.com  -      -

        """)
  }

  @Test func `P6: columns line up by what a terminal shows`() {
    // Every title is written with padding to eight columns, as a terminal counts them.
    let titles = [
      "日本語": 6, "한국": 4, "👨‍👩‍👧": 2, "e\u{301}a": 2, "🇩🇪": 2, "ﾊﾝ": 2, "Ａ": 2, "❤️": 2, "12345678": 8,
      "👍🏽!": 3, "1️⃣": 2, "©": 1,
    ]
    let text = Table(titles.keys.map { Post(id: 1, userID: 1, title: $0, body: "|") }).text

    for line in text.split(separator: "\n").dropFirst() {
      let title = line.dropFirst("1   1     ".count).prefix { $0 != " " }
      let spaces = line.drop { $0 != " " }.drop { $0 == " " }.dropFirst()
        .drop { $0 == " " }.drop { $0 != " " }.prefix { $0 == " " }
      #expect(titles[String(title)].map { $0 + spaces.count } == 10, "\(title)")
    }
  }

  @Test func `P6: a line break in a cell is shown and breaks no line`() {
    let text = Table([
      Post(id: 1, title: "a\r\nb", body: "one\ntwo\rthree"),
      Post(id: 2, title: "äb", body: "é\u{2028}f\u{85}g"),
    ]).text

    #expect(
      text == """
        ID  USER  TITLE  BODY
        1   -     a⏎b    one⏎two⏎three
        2   -     äb     é⏎f⏎g

        """)
  }
}
