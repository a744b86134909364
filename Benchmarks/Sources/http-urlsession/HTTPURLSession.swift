import Foundation
import HTTPWork

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Does HTTP work with Foundation's client.
@main
enum HTTPURLSession {
  static func main() {
    HTTPWork.run { work in
      guard let url = URL(string: work.url) else { throw URLError(.badURL) }
      if work.streams {
        try await work.measure { try await BodyReader().read(url, work) }
        return
      }
      let session = URLSession(configuration: configuration(work))
      try await work.measure {
        let (body, response) = try await session.data(for: URLRequest(url: url))
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        try work.check(status: status, bodySize: body.count)
      }
    }
  }

  /// No cache, no cookies: the others have neither.
  static func configuration(_ work: HTTPWork) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = work.concurrency
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    return configuration
  }
}
