import Services

struct Session: Sendable {
  let service: any DataService

  func fetchUsers() async throws(DataServiceError) -> [User] { try await service.fetchUsers() }
  func fetchPosts() async throws(DataServiceError) -> [Post] { try await service.fetchPosts() }
  func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
    try await service.createPost(draft)
  }
}
