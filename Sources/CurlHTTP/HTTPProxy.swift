/// Which proxy the requests of a client go through.
///
/// Loopback is reached without a proxy in every case.
public enum HTTPProxy: Hashable, Sendable {
  /// The one that the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name, as
  /// curl documents them; they are read once, when the client is made.
  case environment
  /// None, whatever the environment says.
  case none
  /// This one, such as `http://proxy.example:3128` or `socks5h://localhost`, for all requests and
  /// whatever the environment says.
  ///
  /// It may have a user name and password, which appear in no description. One that cannot be used
  /// fails each request.
  case url(String)
}

extension HTTPProxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The proxy without its user name and password.
  public var description: String {
    switch self {
    case .environment: "the environment's proxy"
    case .none: "no proxy"
    case .url(let text): "the proxy " + Redaction.withoutCredentials(inMessage: text)
    }
  }

  /// The same as the description.
  public var debugDescription: String { description }

  /// Only the description, so that `dump` prints no secret either.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
