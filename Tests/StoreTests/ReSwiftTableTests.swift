import Foundation
import TestSupport
import Testing

/// The table in Documentation/MovingFromReSwift.md.
struct ReSwiftTableTests {
  private static func text(of path: String) throws -> String {
    try String(contentsOfFile: Repository.path(path), encoding: .utf8)
  }

  @Test
  func `S19: the table has each of the 49 behaviours once, and each names a test that is there`()
    throws
  {
    // Given
    let rows = try Self.text(of: "Documentation/MovingFromReSwift.md").split(separator: "\n")
      .compactMap { $0.wholeMatch(of: /\| ([0-9, ]+) \| .* \| (holds?|differs?) \| (.*) \|/) }
    let tests = try [
      "StoreTests/ReSwiftBehaviourTests", "StoreTests/ReSwiftSubscriptionTests",
      "StoreTests/ReSwiftSelectionTests", "MiddlewareTests/ReSwiftBehaviourTests",
    ].map { try Self.text(of: "Tests/\($0).swift") }.joined()

    // Then
    let numbers = rows.flatMap { $0.1.split(separator: ", ").compactMap { Int($0) } }
    #expect(numbers == Array(1...49))
    for row in rows {
      let name = try #require(row.3.firstMatch(of: /\*(.+)\*/)?.1, "\(row.0)")
      #expect(tests.contains("func `S19: \(name)`("), "\(name)")
    }
  }
}
