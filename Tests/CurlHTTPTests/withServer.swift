import CurlHTTP
import Foundation
import TestSupport
import Testing

/// A fault server with a client of its own, both gone when the test ends.
struct ServedTest {
  let server: PythonServer
  let client: HTTPClient
  let base: HTTPURL
  let configuration: HTTPClient.Configuration

  func send(
    _ method: HTTPMethod = .get, _ path: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    limits: HTTPLimits? = nil
  ) async throws(HTTPClientError) -> HTTPResponse {
    let url = base.appending(path: path)
    return try await client.send(
      HTTPRequest(method, url, headers: headers, body: body, limits: limits))
  }

  /// The error of a request that must fail.
  func failure(
    of method: HTTPMethod = .get, _ path: String, body: [UInt8] = [], limits: HTTPLimits? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> HTTPClientError? {
    do throws(HTTPClientError) {
      let response = try await send(method, path, body: body, limits: limits)
      Issue.record("A response came: \(response)", sourceLocation: sourceLocation)
      return nil
    } catch {
      return error
    }
  }

  /// The requests for a path, once at least `count` have arrived at the server.
  func log(of path: String, count: Int = 0) async throws -> [LoggedRequest] {
    let url = base.appending(path: "log").appending(query: ["path": path, "count": "\(count)"])
    return try JSONDecoder().decode([LoggedRequest].self, from: Data(try await observe(url).body))
  }

  /// How many connections are open, once no more than that many are.
  func openConnections(atMost limit: Int) async throws -> Int {
    let url = base.appending(path: "connections").appending(query: ["open": "\(limit)"])
    let counts = try JSONDecoder().decode(
      [String: Int].self, from: Data(try await observe(url).body))
    return try #require(counts["open"])
  }

  /// Lets the requests for `/hold/KEY` go.
  func release(_ key: String) async throws {
    _ = try await observe(base.appending(path: "release/\(key)"))
  }

  /// Asks the server with another client, which takes no connection from the one under test.
  private func observe(_ url: HTTPURL) async throws -> HTTPResponse {
    let observer = HTTPClient(
      configuration: .init(certificateAuthorityFile: configuration.certificateAuthorityFile))
    let response = try await observer.send(HTTPRequest(.get, url))
    await observer.shutdown()
    return response
  }
}

/// A request as the server saw it.
struct LoggedRequest: Decodable, Equatable {
  struct Header: Decodable, Equatable {
    var name: String
    var value: String
  }

  var connection: Int
  var method: String
  var target: String
  var headers: [Header]
  var body: String

  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// What the path `/echo` answers: the request as it arrived.
  func echoed() throws -> LoggedRequest {
    try JSONDecoder().decode(LoggedRequest.self, from: Data(body))
  }
}

extension HTTPClient.Configuration {
  /// What a test of a single transfer wants: what came is not tried again, and not followed.
  static var singleTransfer: Self { .init(redirects: .never, retries: .never) }
}

/// The fault server of all tests that ask it nothing about itself.
private let sharedServer = Task { try await PythonServer("fault_server") }

/// Runs a test against a fault server that other tests use meanwhile, with a client of its own.
///
/// What the server tells about its requests and connections is of no use then.
func withSharedServer(_ body: (ServedTest) async throws -> Void) async throws {
  let server = try await sharedServer.value
  let client = HTTPClient(configuration: .singleTransfer)
  let test = ServedTest(
    server: server, client: client, base: try HTTPURL(server.baseURL),
    configuration: .singleTransfer)
  do { try await body(test) } catch {
    await client.shutdown()
    throw error
  }
  await client.shutdown()
}

/// Runs a test against a fault server of its own, with a client of its own.
func withServer(
  _ arguments: [String] = [], configuration: HTTPClient.Configuration = .singleTransfer,
  base: (PythonServer) -> String = { $0.baseURL }, _ body: (ServedTest) async throws -> Void
) async throws {
  try await PythonServer.run("fault_server", arguments) { server in
    let client = HTTPClient(configuration: configuration)
    let test = ServedTest(
      server: server, client: client, base: try HTTPURL(base(server)), configuration: configuration)
    do { try await body(test) } catch {
      await client.shutdown()
      throw error
    }
    await client.shutdown()
  }
}
