import CurlHTTP
import TestSupport
import Testing

@testable import Services

/// What every service promises, whatever is behind it.
@Suite(.timeLimit(.minutes(5)))
struct DataServiceConformanceTests {
  /// A way to get a service.
  enum Kind: CaseIterable {
    case remote, local, fake

    /// Runs `body` with a service of this kind that has users and posts.
    func withService(_ body: (any DataService) async throws -> Void) async throws {
      switch self {
      case .remote:
        try await PythonServer.run("posts_server", ["--until-eof"]) { server in
          let client = HTTPClient()
          let result: Result<Void, any Error>
          do {
            try await body(
              RemoteDataService(baseURL: try HTTPURL(server.baseURL), client: client))
            result = .success(())
          } catch {
            result = .failure(error)
          }
          await client.shutdown()
          try result.get()
        }
      case .local:
        try await withTemporaryDirectory { folder in
          try await body(try LocalDataService(path: folder + "/posts.sqlite"))
        }
      case .fake:
        try await body(
          FakeDataService(
            users: [User(id: 1, name: "Ada"), User(id: 2, name: "Bo")],
            posts: [
              Post(id: 1, userID: 1, title: "a", body: "a\nb"),
              Post(id: 2, userID: 2, title: "b", body: "c"),
            ]))
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1: users have identities and names`(kind: Kind) async throws {
    try await kind.withService { service in
      let users = try await service.fetchUsers()
      #expect(users.count >= 2)
      #expect(Set(users.map(\.id)).count == users.count)
      #expect(users.allSatisfy { !$0.name.isEmpty })
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1: posts have identities and are by users`(kind: Kind) async throws {
    try await kind.withService { service in
      let users = Set(try await service.fetchUsers().map(\.id))
      let posts = try await service.fetchPosts()
      #expect(posts.count >= 2)
      #expect(Set(posts.map(\.id)).count == posts.count)
      #expect(posts.allSatisfy { $0.userID.map(users.contains) ?? false })
      #expect(posts.contains { $0.body.contains("\n") })
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1: a created post comes back last, as it was confirmed`(kind: Kind) async throws {
    try await kind.withService { service in
      // Given the posts so far
      let before = try await service.fetchPosts()

      // When one is created
      let draft = PostDraft(userID: 2, title: "Über \"水\" & \\n", body: "one\n\ttwo 🌊")
      let created = try await service.createPost(draft)

      // Then it is the draft with an identity of its own, and follows what was there
      #expect(!before.map(\.id).contains(created.id))
      #expect(
        created == Post(id: created.id, userID: 2, title: draft.title, body: draft.body))
      #expect(try await service.fetchPosts() == before + [created])
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1: a post by nobody is kept as such`(kind: Kind) async throws {
    try await kind.withService { service in
      let created = try await service.createPost(PostDraft(title: "t", body: ""))
      #expect(created.userID == nil)
      #expect(try await service.fetchPosts().last == created)
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1: a blank title is refused and nothing is stored`(kind: Kind) async throws {
    try await kind.withService { service in
      let before = try await service.fetchPosts().count
      await #expect(
        throws: DataServiceError.invalidRequest(
          reason: "the post has no title. Give it a title that is not blank.")
      ) { try await service.createPost(PostDraft(userID: 1, title: " \n", body: "b")) }
      #expect(try await service.fetchPosts().count == before)
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1: a call of a cancelled task throws that it was cancelled, and stores nothing`(
    kind: Kind
  ) async throws {
    try await kind.withService { service in
      let before = try await service.fetchPosts().count
      let start = Gate()
      let tasks: [Task<Void, any Error>] = [
        Task {
          await start.wait()
          _ = try await service.fetchUsers()
        },
        Task {
          await start.wait()
          _ = try await service.fetchPosts()
        },
        Task {
          await start.wait()
          _ = try await service.createPost(PostDraft(userID: 1, title: "t", body: ""))
        },
      ]
      for task in tasks { task.cancel() }
      start.open()
      for task in tasks {
        await #expect(throws: DataServiceError.cancelled) { try await task.value }
      }
      #expect(try await service.fetchPosts().count == before)
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1: fifty posts created at once are fifty posts`(kind: Kind) async throws {
    try await kind.withService { service in
      let before = try await service.fetchPosts().count
      let created = try await withThrowingTaskGroup { group in
        for number in 1...50 {
          group.addTask {
            try await service.createPost(
              PostDraft(userID: 1, title: "\(number)", body: "body \(number)"))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(created.map(\.id)).count == 50)
      #expect(Set(try await service.fetchPosts().dropFirst(before)) == Set(created))
    }
  }
}
