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
      if work.streams {
        try await work.measure {
          let response = try await client.stream(request)
          var bytes = 0
          for try await piece in response.body { bytes += piece.count }
          try work.check(status: response.status, bodySize: bytes)
        }
        await client.shutdown()
        return
      }
      try await work.measure {
        let response = try await client.send(request)
        try work.check(status: response.status, bodySize: response.body.count)
      }
      await client.shutdown()
    }
  }
}
