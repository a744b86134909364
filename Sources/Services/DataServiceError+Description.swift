extension DataServiceError: CustomStringConvertible {
  /// What failed and what to try, in full sentences.
  ///
  /// A reason that ends like a sentence is taken to bring its own advice, and gets no other.
  public var description: String {
    switch self {
    case .unreachable(let reason):
      Self.sentences(
        "The server could not be reached", reason,
        advice: "Check the address, and that the server runs and can be reached from here.")
    case .timedOut(let reason):
      Self.sentences(
        "The server did not answer in time", reason, advice: "Try again, or allow more time.")
    case .unauthorized(let status, let message):
      Self.sentences(
        "The server refuses access (status \(status))", message,
        advice: "Check the credentials, and that they permit this.", always: true)
    case .rejected(let status, let message):
      Self.sentences(
        Self.rejection(status), message, advice: Self.advice(status), always: true)
    case .badResponse(let location, let reason):
      Self.sentences(
        "The server's answer cannot be used. \(location)", reason,
        advice: "Check that the address is the one of a posts API.")
    case .invalidRequest(let reason):
      Self.sentences("The request cannot be made", reason, advice: "Change it and try again.")
    case .storage(let path, let reason):
      Self.sentences(
        "The posts file \(path) cannot be used", reason, advice: "Choose another file.")
    case .cancelled:
      "The request was cancelled."
    }
  }

  private static func rejection(_ status: Int) -> String {
    switch status {
    case 300..<400: "The server answered with a redirect (status \(status))"
    case 408, 429, 500...: "The server could not serve the request (status \(status))"
    default: "The server rejected the request (status \(status))"
    }
  }

  private static func advice(_ status: Int) -> String {
    switch status {
    case 300..<400: "Use the address that it names."
    case 408, 429, 500...: "The cause is on the server's side; try again later."
    default: "Check the address and what was sent."
    }
  }

  /// Puts the parts of a message together.
  ///
  /// A server's own words are no advice, however they end; those get some always.
  private static func sentences(
    _ what: String, _ reason: String, advice: String, always: Bool = false
  ) -> String {
    guard let end = reason.last else { return "\(what). \(advice)" }
    guard ".!?…".contains(end) else { return "\(what): \(reason). \(advice)" }
    return "\(what): \(reason)" + (always ? " \(advice)" : "")
  }
}
