import CurlHTTP
import HTTPLoad

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs an ``HTTPLoad`` with Millrace's client.
@main
enum HTTPMillrace {
  /// Leaves the work to the other threads and waits.
  ///
  /// An asynchronous `main` would end the first thread when it suspends, which valgrind does not
  /// survive; and on the main actor every hop would cost more than what is measured.
  static func main() {
    guard let load = HTTPLoad() else { preconditionFailure("The arguments make no load.") }
    Task.detached {
      do {
        try await run(load)
        exit(0)
      } catch {
        preconditionFailure("\(error)")
      }
    }
    while true { pause() }
  }

  private static func run(_ load: HTTPLoad) async throws {
    let client = HTTPClient(
      configuration: HTTPClient.Configuration(
        connectionsPerHost: load.concurrency, connections: load.concurrency))
    let request = HTTPRequest(.get, try HTTPURL(load.url))
    precondition(!load.streams, "The client cannot read a stream.")
    try await load.measure {
      let response = try await client.send(request)
      try load.check(status: response.status, bodySize: response.body.count)
    }
    await client.shutdown()
  }
}
