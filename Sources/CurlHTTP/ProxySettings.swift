/// Which requests go through a proxy, as the configuration or the environment said when the client
/// was made.
///
/// The variables are those of curl(1): `http_proxy`, in small letters only, since a CGI script may
/// find the header `Proxy` of a stranger in `HTTP_PROXY`; `https_proxy`, `all_proxy` and `no_proxy`
/// in small letters first. libcurl could read them itself, but counts connections to a proxy as
/// those to one host, so whoever counts them too must know which requests take it.
struct ProxySettings: Equatable, Sendable {
  private var http: String?
  private var https: String?
  private var exceptions = ProxyExceptions("")

  /// Creates settings without a proxy.
  init() {}

  /// Takes what a configuration says, and the variables only if it says so.
  init(_ proxy: HTTPProxy, variable: (String) -> String?) {
    switch proxy {
    case .environment: self.init(variable: variable)
    case .none: self.init()
    case .url(let text):
      self.init()
      http = text
      https = text
    }
  }

  /// Reads the variables; one that is empty counts as not set.
  init(variable: (String) -> String?) {
    func value(_ names: String...) -> String? { names.lazy.compactMap(variable).first }
    let all = value("all_proxy", "ALL_PROXY")
    http = value("http_proxy") ?? all
    https = value("https_proxy", "HTTPS_PROXY") ?? all
    exceptions = ProxyExceptions(value("no_proxy", "NO_PROXY") ?? "")
  }

  /// How a request to a URL travels.
  ///
  /// This machine is never reached through a proxy, whatever the variables say.
  func route(to url: HTTPURL) -> Route {
    let direct = Route.key(host: url.hostWithoutFinalDot, port: url.port ?? url.scheme.defaultPort)
    let proxy = url.scheme == .http ? http : https
    guard let proxy, !url.isLoopback, !exceptions.contain(url) else {
      return Route(proxy: nil, connectionKey: direct)
    }
    // A tunnel is the connection of one host; only a proxy that reads requests is shared.
    let shared = url.scheme == .http ? Route.key(sharedProxy: proxy) : nil
    return Route(proxy: proxy, connectionKey: shared ?? direct)
  }
}
