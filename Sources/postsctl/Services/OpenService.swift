import CurlHTTP
import Services

/// A service ready for use, and how to let go of it.
struct OpenService: Sendable {
  /// The service.
  let service: any DataService
  /// What a person should know about it although nothing failed, as a line without its end.
  var notice: String?
  /// Ends what the service holds open.
  ///
  /// It is called once, after the last use.
  var close: @Sendable () async -> Void = {}

  /// Opens the service that a configuration chose.
  static func open(
    _ configuration: ServiceConfiguration
  ) throws(DataServiceError) -> OpenService {
    switch configuration {
    case .local(let path, let isDefault):
      // A path that somebody typed may be misspelt: then new folders would hide the mistake, and
      // the sample posts would look like lost ones.
      let service = try LocalDataService(path: path, makesFolders: isDefault)
      return OpenService(
        service: service, notice: service.isNew ? "created \(path) with sample data" : nil)
    case .remote(let url, _, let timeout):
      let client = HTTPClient(configuration: .init(limits: limits(timeout: timeout)))
      // The client's thread has to be gone before the process ends, or libcurl may still be in a
      // TLS handshake while OpenSSL takes itself down.
      return OpenService(
        service: RemoteDataService(baseURL: url, client: client), close: client.shutdown)
    }
  }

  /// Returns the limits of a client for one time limit.
  ///
  /// A person who allows a minute allows it also for connecting, which has a shorter limit by
  /// itself.
  private static func limits(timeout: Duration?) -> HTTPLimits {
    var limits = HTTPLimits()
    if let timeout {
      limits.total = timeout
      limits.connect = max(limits.connect, timeout)
    }
    return limits
  }
}
