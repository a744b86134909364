import CurlHTTP

/// The limits and clients of tests whose subject no time limit is.
///
/// A machine may be twenty times slower than the one on which a test was written, and then the
/// client's own limits end what the test is about.
extension HTTPLimits {
  static func patient(
    connect: Duration = .seconds(3_600), idle: Duration = .seconds(3_600),
    total: Duration = .seconds(3_600), bodySize: Int = 16 * 1024 * 1024,
    headerSize: Int = 64 * 1024
  ) -> HTTPLimits {
    HTTPLimits(
      connect: connect, idle: idle, total: total, bodySize: bodySize, headerSize: headerSize)
  }
}

extension HTTPClient.Configuration {
  /// A client that makes one transfer of each request, which takes as long as it takes.
  static func patient(
    connectionsPerHost: Int = 8, certificateAuthorityFile: String? = nil,
    minimumTLSVersion: TLSVersion = .tls1_2, redirects: HTTPRedirects = .never,
    retries: HTTPRetries = .never
  ) -> HTTPClient.Configuration {
    HTTPClient.Configuration(
      limits: .patient(), connectionsPerHost: connectionsPerHost,
      certificateAuthorityFile: certificateAuthorityFile, minimumTLSVersion: minimumTLSVersion,
      redirects: redirects, retries: retries)
  }
}

extension HTTPClient {
  static var patient: HTTPClient { HTTPClient(configuration: .patient()) }
}
