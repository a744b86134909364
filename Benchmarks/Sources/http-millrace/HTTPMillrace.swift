import CurlHTTP
import HTTPWork

/// Does HTTP work with Millrace's client.
@main
enum HTTPMillrace {
  static func main() {
    HTTPWork.run { work in
      let client = HTTPClient(
        configuration: HTTPClient.Configuration(
          connectionsPerHost: work.concurrency, connections: work.concurrency))
      let request = HTTPRequest(.get, try HTTPURL(work.url))
      try await work.measure {
        let response = try await client.send(request)
        try work.check(status: response.status, bodySize: response.body.count)
      }
      await client.shutdown()
    }
  }
}
