public import CurlHTTP

/// Users and posts on a server that speaks JSONPlaceholder's dialect over HTTP.
///
/// ```swift
/// let client = HTTPClient()
/// let service = RemoteDataService(baseURL: try HTTPURL("https://example.com/api"), client: client)
/// let posts = try await service.fetchPosts()    // GET https://example.com/api/posts
/// ```
///
/// Each call sends one request: nothing is sent again and no redirect is followed. Cancelling the
/// task ends the request at once with ``DataServiceError/cancelled``.
public final class RemoteDataService: DataService {
  private let baseURL: HTTPURL
  private let client: HTTPClient
  private let headers: HTTPHeaders

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - baseURL: The address that `users` and `posts` are appended to; its own path is kept.
  ///   - client: What sends the requests. Whoever made it shuts it down.
  ///   - headers: Header fields for every request, such as an `Authorization`.
  public init(baseURL: HTTPURL, client: HTTPClient, headers: HTTPHeaders = [:]) {
    self.baseURL = baseURL
    self.client = client
    self.headers = headers
  }

  /// Returns every user, in the server's order.
  public func fetchUsers() async throws(DataServiceError) -> [User] {
    try JSONPlaceholder.users(from: await send(.get, JSONPlaceholder.usersPath))
  }

  /// Returns every post, in the server's order.
  public func fetchPosts() async throws(DataServiceError) -> [Post] {
    try JSONPlaceholder.posts(from: await send(.get, JSONPlaceholder.postsPath))
  }

  /// Stores a post and returns it as the server confirmed it.
  ///
  /// What the server does not repeat of the post is as it was sent.
  ///
  /// - Parameter draft: What to store; a blank title is refused before anything is sent.
  /// - Returns: The post, with the identity that the server gave it.
  /// - Throws: Why there is no post, or that it is open whether there is: then the error's
  ///   ``DataServiceError/leavesCreationOpen`` is true.
  public func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
    try draft.checkTitle()
    let answer = try await send(
      .post, JSONPlaceholder.postsPath, body: JSONPlaceholder.body(of: draft))
    return try JSONPlaceholder.createdPost(from: answer, draft: draft)
  }

  private func send(
    _ method: HTTPMethod, _ path: String, body: [UInt8] = []
  ) async throws(DataServiceError) -> ServerAnswer {
    var request = HTTPRequest(
      method, baseURL.appending(path: path), headers: headers, body: body, redirects: .never,
      retries: .never)
    // An answer in another format could not be read; what was asked for otherwise stays.
    if request.headers["Accept"] == nil { request.headers["Accept"] = "application/json" }
    if method == .post { request.headers["Content-Type"] = "application/json" }
    do throws(HTTPClientError) {
      return ServerAnswer(try await client.send(request))
    } catch {
      throw DataServiceError(error, at: baseURL)
    }
  }
}

extension ServerAnswer {
  fileprivate init(_ response: HTTPResponse) {
    self.init(
      status: response.status, contentType: response.headers["Content-Type"],
      location: response.headers["Location"], body: response.body)
  }
}
