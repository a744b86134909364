import CurlHTTP
import Services

/// A service ready for use, and how to let go of it.
struct OpenService: Sendable {
  /// The service.
  let service: any DataService
  /// Ends what the service holds open.
  ///
  /// It is called once, after the last use.
  var close: @Sendable () async -> Void = {}

  /// Opens the service that a configuration chose.
  static func open(
    _ configuration: ServiceConfiguration
  ) throws(DataServiceError) -> OpenService {
    switch configuration {
    case .local(let path):
      return OpenService(service: try LocalDataService(path: path))
    case .remote(let url, let timeout):
      var limits = HTTPLimits()
      if let timeout { limits.total = timeout }
      let client = HTTPClient(configuration: .init(limits: limits))
      // The client's thread has to be gone before the process ends, or libcurl may still be in a
      // TLS handshake while OpenSSL takes itself down.
      return OpenService(
        service: RemoteDataService(baseURL: url, client: client), close: client.shutdown)
    }
  }
}
