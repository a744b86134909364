/// Where users and posts come from, and where new posts go.
///
/// Effects and commands ask for `any DataService` and never learn which one they were given:
/// ``RemoteDataService`` talks HTTP, ``LocalDataService`` keeps a file, ``FakeDataService`` follows
/// a script. All three report the same ``DataServiceError``.
public protocol DataService: Sendable {
  /// Returns every user, in the service's order.
  func fetchUsers() async throws(DataServiceError) -> [User]

  /// Returns every post, in the service's order.
  func fetchPosts() async throws(DataServiceError) -> [Post]

  /// Stores a post and returns it as the service confirmed it, with its identity.
  ///
  /// The call makes at most one post, also when it fails; whether it may have made one is then in
  /// the error's ``DataServiceError/leavesCreationOpen``. A blank title is refused as
  /// ``DataServiceError/invalidRequest(reason:)`` before anything is stored or sent.
  func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post
}
