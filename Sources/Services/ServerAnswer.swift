/// What a server sent back, as far as its meaning depends on it.
struct ServerAnswer: Sendable {
  var status: Int
  var contentType: String?
  var location: String?
  var body: [UInt8]

  /// Whether there is nothing in the body but white space.
  var isEmpty: Bool { body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  /// The status, the type and the beginning of the body, for a message.
  var summary: String {
    let type = contentType.map { SafeExcerpt($0).description } ?? "no content type"
    let beginning = isEmpty ? "an empty body" : "beginning: \(SafeExcerpt(body))"
    return "the answer was status \(status), \(type), \(beginning)"
  }
}
