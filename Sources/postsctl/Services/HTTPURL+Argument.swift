import CurlHTTP

extension HTTPURL {
  /// Understands a URL that was given as an argument, where a password must not stand.
  ///
  /// Everyone on the machine can read the arguments of a process, and the shell keeps them.
  init(argument text: String) throws(InvalidValue) {
    let url = try HTTPURL(checking: text)
    guard !url.hasCredentials else {
      throw InvalidValue(
        "it has a user name or a password in it, and others on this machine can read arguments; "
          + "put the URL into the environment variable POSTSCTL_URL instead",
        isSecret: true)
    }
    self = url
  }

  /// Understands a URL that was given in a place where a password may stand.
  init(checking text: String) throws(InvalidValue) {
    // What is no URL cannot be taken apart, so its secrets cannot be told from the rest. They
    // stand before an at sign, in the query or in the fragment.
    let mayHoldSecret = text.contains { "@?#".contains($0) }
    do throws(HTTPClientError) {
      self = try HTTPURL(text)
    } catch {
      guard case .invalidURL(let reason) = error.kind else {
        throw InvalidValue("expected an http or https URL", isSecret: mayHoldSecret)
      }
      throw InvalidValue(
        "\(reason). A URL looks like https://example.com/api", isSecret: mayHoldSecret)
    }
  }
}
