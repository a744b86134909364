import CurlHTTP
import TestSupport
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5)))
struct RemoteDataServiceTests {
  @Test func `D2: what the server has arrives whole`() async throws {
    try await withService { service in
      // When all is fetched
      let users = try await service.fetchUsers()
      let posts = try await service.fetchPosts()

      // Then nothing is missing, and text beyond ASCII is intact
      #expect(users.count == 10)
      #expect(users[5].name == "王小雨" && users[5].username == "xiaoyu")
      #expect(users.allSatisfy { $0.firstName == nil && $0.lastName == nil })
      #expect(posts.map(\.id) == (1...100).map { RecordID.number($0) })
      #expect(Set(posts.map(\.title)).count == 100)
      #expect(posts.allSatisfy { $0.body.split(separator: "\n").count == 3 })
    }
  }

  @Test func `D2: the base URL keeps its path`() async throws {
    // Given a server that answers 404 below /api, where it has nothing
    try await withService(path: "/api/v1/") { service in
      await #expect(
        throws: DataServiceError.rejected(status: 404, message: "it gave no reason")
      ) { try await service.fetchPosts() }
    }
  }

  @Test(arguments: [
    ("404", DataServiceError.rejected(status: 404, message: "it gave no reason")),
    ("500", .rejected(status: 500, message: "the mill has stopped")),
    ("unauthorized", .unauthorized(status: 401, message: "a token is needed")),
    (
      "html",
      .badResponse(
        location: "The whole answer",
        reason: "expected an array of posts, found a web page instead of JSON; the answer was "
          + "status 200, text/html; charset=utf-8")
    ),
    (
      "empty",
      .badResponse(
        location: "The whole answer",
        reason: "expected an array of posts, found nothing; the answer was status 200, "
          + "application/json; charset=utf-8, an empty body")
    ),
  ])
  func `D2: an answer that is no list of posts is an error`(
    fault: String, error: DataServiceError
  ) async throws {
    try await withService(fault: fault) { service in
      await #expect(throws: error) { try await service.fetchPosts() }
    }
  }

  @Test func `D2: a field of the wrong type is named`() async throws {
    try await withService(fault: "wrong-types") { service in
      let (location, reason) = try await badResponse { _ = try await service.fetchPosts() }
      #expect(location == "[3].userId")
      #expect(
        reason.hasPrefix(
          "expected a number or a string, found null; the answer was status 200, "
            + "application/json; charset=utf-8, beginning: [ { "), "\(reason)")
    }
  }

  @Test func `D2: JSON that is cut off is an error, whatever its length says`() async throws {
    try await withService(fault: "cut") { service in
      let (location, reason) = try await badResponse { _ = try await service.fetchPosts() }
      #expect(location == "The whole answer")
      #expect(
        reason.hasPrefix("expected an array of posts, found JSON that is cut off or damaged; "),
        "\(reason)")
    }
    try await withService(fault: "truncated") { service in
      let (location, reason) = try await badResponse { _ = try await service.fetchPosts() }
      #expect(location == "The whole answer")
      #expect(reason.hasPrefix("it was cut short (libcurl error 18: "), "\(reason)")
    }
  }

  @Test func `D2: a redirect is not followed, and named`() async throws {
    try await PythonServer.run("posts_server", ["--until-eof", "--fault", "redirect"]) { server in
      try await withService(of: server) { service in
        let redirect = DataServiceError.rejected(
          status: 302, message: "it redirects to \(server.baseURL)/moved/posts")
        await #expect(throws: redirect) { try await service.fetchPosts() }
        await #expect(throws: redirect) {
          try await service.createPost(PostDraft(title: "t", body: ""))
        }
      }
    }
  }

  @Test func `D2: a server's refusal of a post brings its words`() async throws {
    try await withService(headers: ["Accept": "text/plain"]) { service in
      // Given a post that is larger than this server takes
      let draft = PostDraft(title: "t", body: String(repeating: "x", count: 10_000_001))
      await #expect(
        throws: DataServiceError.rejected(
          status: 400, message: "send the body with its length, 10 MB at most")
      ) { try await service.createPost(draft) }
    }
  }

  @Test func `D1: a server that never answers is a time limit`() async throws {
    try await PythonServer.run("posts_server", ["--until-eof", "--fault", "slow"]) { server in
      let limits = HTTPLimits(total: .milliseconds(300))
      try await withService(of: server, limits: limits) { service in
        let error = await #expect(throws: DataServiceError.self) { try await service.fetchPosts() }
        #expect(error == .timedOut(reason: "no answer after 0.3 seconds"))

        // And for a post the error says that it may have arrived
        await #expect(
          throws: DataServiceError.timedOut(
            reason: "no answer after 0.3 seconds", isOutcomeOpen: true)
        ) { try await service.createPost(PostDraft(title: "t", body: "")) }
      }
    }
  }

  @Test func `D1: cancelling ends a request that is under way`() async throws {
    try await PythonServer.run("posts_server", ["--until-eof", "--fault", "slow"]) { server in
      try await withService(of: server) { service in
        // Given a request that has reached a server that will not answer it
        let task = Task { try await service.fetchPosts() }
        let watcher = HTTPClient()
        let arrivals = try HTTPURL(server.baseURL).appending(path: "arrivals")
        let arrived = try await watcher.send(HTTPRequest(.get, arrivals))
        await watcher.shutdown()
        #expect(arrived.status == 200)

        // When its task is cancelled, then it ends
        task.cancel()
        await #expect(throws: DataServiceError.cancelled) { try await task.value }
      }
    }
  }

  @Test func `D1: a server that is not there is unreachable`() async throws {
    // Given the address of a server that has ended
    let server = try await PythonServer("posts_server", ["--until-eof"])
    await server.stop()

    try await withService(of: server) { service in
      let error = await #expect(throws: DataServiceError.self) { try await service.fetchUsers() }
      guard case .unreachable(let reason, true, false) = error else {
        Issue.record("not unreachable: \(String(describing: error))")
        return
      }
      let place = "127.0.0.1:\(server.port)"
      #expect(reason.hasPrefix("no connection to \(place) (libcurl error 7: "), "\(reason)")
      #expect(reason.hasSuffix("). Is a server running there, on that port?"), "\(reason)")
    }
  }

  @Test func `D1: a header that cannot be sent is an invalid request`() async throws {
    try await withService(headers: ["X-Bad": "a\r\nEvil: 1"]) { service in
      let error = await #expect(throws: DataServiceError.self) { try await service.fetchUsers() }
      guard case .invalidRequest = error else {
        Issue.record("not an invalid request: \(String(describing: error))")
        return
      }
    }
  }

  @Test func `D1: a client that was shut down too early is a defect`() async throws {
    let client = HTTPClient()
    await client.shutdown()
    let service = RemoteDataService(baseURL: try HTTPURL("http://127.0.0.1:9"), client: client)
    await #expect(
      throws: DataServiceError.internalFailure(
        reason: "the HTTP client was shut down before the request was done")
    ) { try await service.fetchUsers() }
  }

  private func withService(
    fault: String? = nil, path: String = "", headers: HTTPHeaders = [:],
    _ body: (RemoteDataService) async throws -> Void
  ) async throws {
    let arguments = ["--until-eof"] + (fault.map { ["--fault", $0] } ?? [])
    try await PythonServer.run("posts_server", arguments) { server in
      try await withService(of: server, path: path, headers: headers, body)
    }
  }

  private func withService(
    of server: PythonServer, path: String = "", headers: HTTPHeaders = [:],
    limits: HTTPLimits = HTTPLimits(), _ body: (RemoteDataService) async throws -> Void
  ) async throws {
    let client = HTTPClient(configuration: .init(limits: limits))
    let url = try HTTPURL(server.baseURL + path)
    let result: Result<Void, any Error>
    do {
      try await body(RemoteDataService(baseURL: url, client: client, headers: headers))
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await client.shutdown()
    try result.get()
  }

  private func badResponse(
    _ work: () async throws -> Void
  ) async throws -> (location: String, reason: String) {
    do {
      try await work()
      throw DataServiceError.invalidRequest(reason: "there was no error")
    } catch DataServiceError.badResponse(let location, let reason, false) {
      return (location, reason)
    }
  }
}
