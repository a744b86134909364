extension DataServiceError: CustomStringConvertible {
  /// What failed and what to try, in full sentences.
  ///
  /// A reason that ends like a sentence is taken to bring its own advice, and gets no other.
  public var description: String {
    switch self {
    case .unreachable(let reason, _, _):
      sentences(
        "The server could not be reached", reason,
        advice: "Check the address, and that the server runs and can be reached from here.")
    case .timedOut(let reason, _):
      sentences(
        "The server did not answer in time", reason, advice: "Try again, or allow more time.")
    case .unauthorized(let status, let message):
      sentences(
        "The server refuses access (status \(status))", message,
        advice: "Check the credentials, and that they permit this.", always: true)
    case .rejected(let status, let message):
      sentences(Self.rejection(status), message, advice: Self.advice(status), always: true)
    case .badResponse(let location, let reason, _):
      sentences(
        "The server's answer cannot be used. \(location)", reason,
        advice: "Check that the address is the one of a posts API.")
    case .invalidRequest(let reason):
      sentences("The request cannot be made", reason, advice: "Change it and try again.")
    case .storage(let path, let reason):
      sentences("The posts file \(path) cannot be used", reason, advice: "Choose another file.")
    case .diskFailure(let path, let reason, _):
      sentences(
        "The posts file \(path) cannot be read or written", reason,
        advice: "Check that the disk works and has space left.")
    case .internalFailure(let reason, _):
      sentences(
        "The service failed in a way that it should not", reason,
        advice: "This is a defect; please report it with this message.")
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
    case 300..<400:
      "A post that was sent may be stored all the same; for anything else use the address that it "
        + "names."
    case 408, 500...:
      "A post that was sent may be stored all the same; for anything else try again later."
    case 429: "Try again later."
    default: "Check the address and what was sent."
    }
  }

  /// Puts the parts of a message together.
  ///
  /// A server's own words are no advice, however they end; those get some always. And where a post
  /// may be stored, the only advice is to look: any other would lead to a second one.
  private func sentences(
    _ what: String, _ reason: String, advice: String, always: Bool = false
  ) -> String {
    let isOpen =
      switch self {
      case .rejected, .cancelled: false
      default: leavesCreationOpen
      }
    let advice =
      isOpen ? "The post may be stored all the same; look before you send it again." : advice
    guard let end = reason.last else { return "\(what). \(advice)" }
    guard ".!?…".contains(end) else { return "\(what): \(reason). \(advice)" }
    return "\(what): \(reason)" + (always || isOpen ? " \(advice)" : "")
  }
}
