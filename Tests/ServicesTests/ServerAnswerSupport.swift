@testable import Services

extension ServerAnswer {
  /// Creates an answer as a JSON API gives it.
  init(_ body: String, status: Int = 200, location: String? = nil) {
    self.init(
      status: status, contentType: "application/json", location: location, body: Array(body.utf8))
  }
}
