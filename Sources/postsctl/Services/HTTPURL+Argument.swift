import CurlHTTP

extension HTTPURL {
  /// Understands a URL that was given as an argument, where a password must not stand.
  ///
  /// Everyone on the machine can read the arguments of a process, and the shell keeps them.
  init(argument text: String) throws(InvalidValue) {
    let url = try HTTPURL(checking: text)
    guard !Self.hasCredentials(text) else {
      throw InvalidValue(
        "it has a user name or a password in it, and others on this machine can read arguments; "
          + "put the URL into the environment variable POSTSCTL_URL instead",
        isSecret: true)
    }
    self = url
  }

  /// Understands a URL that was given in a place where a password may stand.
  init(checking text: String) throws(InvalidValue) {
    do throws(HTTPClientError) {
      self = try HTTPURL(text)
    } catch {
      guard case .invalidURL(let reason) = error.kind else {
        throw InvalidValue("expected an http or https URL", isSecret: text.contains("@"))
      }
      throw InvalidValue(
        "\(reason). A URL looks like https://example.com/api",
        isSecret: text.contains("@"))
    }
  }

  /// Whether a sign stands where a user name would end, in a URL or in what was meant to be one.
  private static func hasCredentials(_ text: String) -> Bool {
    let start = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    return start.prefix { !"/?#".contains($0) }.contains("@")
  }
}
