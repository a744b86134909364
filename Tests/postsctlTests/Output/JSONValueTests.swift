import Foundation
import Services
import Testing

@testable import postsctl

@Suite struct `JSON` {
  @Test func `P3: a list is one pretty document with sorted keys and a line break at its end`() {
    let text = OutputFormat.json.text(of: [
      Post(id: 1, userID: "u/1", title: "a/b", body: "x\ny"), Post(id: "7", title: "", body: ""),
    ])

    #expect(
      text == """
        [
          {
            "body": "x\\ny",
            "id": 1,
            "title": "a/b",
            "userId": "u/1"
          },
          {
            "body": "",
            "id": "7",
            "title": "",
            "userId": null
          }
        ]

        """)
  }

  @Test func `P3: an empty list is a document too`() {
    #expect(OutputFormat.json.text(of: [User]()) == "[]\n")
  }

  @Test func `P3: one record is an object with every field`() {
    let user = User(id: 3, name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace")

    #expect(
      OutputFormat.json.text(of: user) == """
        {
          "email": null,
          "firstName": "Ada",
          "id": 3,
          "lastName": "Lovelace",
          "name": "Ada Lovelace",
          "phone": null,
          "username": null,
          "website": null
        }

        """)
  }

  @Test(arguments: [Int64.max, Int64.min, 0, 9_007_199_254_740_993])
  func `P3: a number keeps every digit`(number: Int64) {
    #expect(JSONValue.number(number).document == "\(number)\n")
  }

  @Test func `P6: what could steer a terminal is escaped`() {
    let text = JSONValue.string("\u{1B}\u{7F}\u{9B}\u{202E}\u{2069}\u{2028}\t\r\"\\é😀").document

    #expect(text == "\"\\u001b\\u007f\\u009b\\u202e\\u2069\\u2028\\t\\r\\\"\\\\é😀\"\n")
  }

  @Test func `P3: another reader finds every character again`() throws {
    var scalars = String.UnicodeScalarView()
    for value in UInt32(0)...0x10FFFF where value < 0x3000 || value % 97 == 0 {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
    let every = String(scalars)

    let document = JSONValue.object(["key \"\u{7}\"": .array([.string(every)])]).document

    let read = try JSONDecoder().decode([String: [String]].self, from: Data(document.utf8))
    #expect(
      read.keys.first.map { Array($0.unicodeScalars) } == Array("key \"\u{7}\"".unicodeScalars))
    #expect(
      read.values.first?.first.map { Array($0.unicodeScalars) } == Array(every.unicodeScalars))
  }
}
