import Middleware
import Services
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(5))) struct `Sessions` {
  @Test func `P1: a request that nothing answers is no empty answer`() async {
    // Given a store in which no effect handles the requests
    let session = Session(service: FakeDataService(), effects: [])

    await #expect(throws: DataServiceError.cancelled) { try await session.fetchUsers() }
    await #expect(throws: DataServiceError.cancelled) { try await session.fetchPosts() }
    await #expect(throws: DataServiceError.cancelled) {
      try await session.createPost(PostDraft(title: "T", body: "B"))
    }
  }

  @Test func `P1: a failure is that of the last request alone`() async throws {
    let post = Post(id: 1, title: "T", body: "B")
    let session = Session(
      service: FakeDataService.scripted(
        fetchPosts: [.failure(.timedOut(reason: "5 s")), .success([post])]))

    await #expect(throws: DataServiceError.timedOut(reason: "5 s")) {
      try await session.fetchPosts()
    }
    #expect(try await session.fetchPosts() == [post])
  }
}
