import Foundation
import HTTPLoad

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs an ``HTTPLoad`` with Foundation's client.
@main
enum HTTPURLSession {
  /// Runs away from the main actor, where every hop would cost more than what is measured.
  @concurrent
  static func main() async throws {
    guard let load = HTTPLoad(), let url = URL(string: load.url) else {
      preconditionFailure("The arguments make no load.")
    }
    if load.streams {
      try await load.measure { try await BodyReader().read(url, load) }
      return
    }
    let session = URLSession(configuration: configuration(load))
    try await load.measure {
      let (body, response) = try await session.data(for: URLRequest(url: url))
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      try load.check(status: status, bodySize: body.count)
    }
  }

  /// No cache, no cookies: the others have neither.
  static func configuration(_ load: HTTPLoad) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = load.concurrency
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    return configuration
  }
}
