internal import CurlHTTP
internal import FoundationEssentials

extension ServerAnswer {
  /// Throws what a status that is not a success means.
  func checkStatus() throws(DataServiceError) {
    switch status {
    case 200..<300:
      return
    case 300..<400:
      let target = location.map { "to \(Self.shown($0))" } ?? "without saying where to"
      throw .rejected(status: status, message: "it redirects \(target)")
    case 401, 403:
      throw .unauthorized(status: status, message: message)
    default:
      throw .rejected(status: status, message: message)
    }
  }

  /// The address in a `Location`, without what may be a secret.
  ///
  /// A server that asks for a login may put a token into it.
  private static func shown(_ location: String) -> SafeExcerpt {
    if let url = try? HTTPURL(location) { return SafeExcerpt(url.description) }
    // It is an address without a host, or none at all. Neither needs more than its path here.
    let path = location.prefix { !"?#".contains($0) }
    return SafeExcerpt(path.lastIndex(of: "@").map { "…" + path[$0...] } ?? String(path))
  }

  /// The server's own words where it has some, else the beginning of what it sent.
  private var message: String {
    if let words = (try? JSONDecoder().decode(ErrorBody.self, from: Data(body)))?.words {
      let excerpt = SafeExcerpt(words)
      if !excerpt.isEmpty { return excerpt.description }
    }
    if isWebPage { return "it gave no reason but a web page" }
    let excerpt = SafeExcerpt(body)
    return excerpt.isEmpty || excerpt.description == "{}"
      ? "it gave no reason" : excerpt.description
  }

  /// `{"message": "…"}` or `{"error": "…"}`, where the latter may also hold the former.
  private struct ErrorBody: Decodable {
    var words: String?

    private enum Key: String, CodingKey {
      case message, error
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      if let message = try? fields.decode(String.self, forKey: .message) {
        words = message
      } else if let error = try? fields.decode(String.self, forKey: .error) {
        words = error
      } else {
        let error = try fields.nestedContainer(keyedBy: Key.self, forKey: .error)
        words = try error.decode(String.self, forKey: .message)
      }
    }
  }
}
