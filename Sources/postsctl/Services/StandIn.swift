import Services

extension OpenService {
  static func open(_ c: ServiceConfiguration) throws(DataServiceError) -> OpenService {
    switch c {
    case .local(let path): OpenService(service: try LocalDataService(path: path))
    case .remote: OpenService(service: StandIn())
    }
  }
}
struct StandIn: DataService {
  func fetchUsers() async throws(DataServiceError) -> [User] { [User(id: 1, name: "Ada")] }
  func fetchPosts() async throws(DataServiceError) -> [Post] {
    (1...10000).map { Post(id: .number($0), title: "a", body: "b\nc") }
  }
  func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
    Post(id: 1, userID: draft.userID, title: draft.title, body: draft.body)
  }
}
