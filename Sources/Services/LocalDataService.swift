/// Users and posts in a file on this machine.
///
/// The file is a SQLite database that keeps what it acknowledged: a post that ``createPost(_:)``
/// returned is still there after the process is killed, or the power fails. Any number of processes
/// may use one file at once; each waits up to five seconds for the others. A new file begins with
/// three users and a post by each.
///
/// Its identities are numbers. It has a fixed set of users, and refuses a post by anyone else; a
/// post by nobody, with a draft's `userID` nil, is kept as such. Calls run in the order they were
/// made, off the cooperative pool's threads.
///
/// Cancelling a call that waits ends it at once with ``DataServiceError/cancelled``. A post that
/// was being stored at that moment may be returned instead: it says what became of it.
public final class LocalDataService: DataService {
  private let database: LocalDatabase

  /// Whether this service began the file, with its first users and posts.
  ///
  /// Of several that open a new file at once, this is true for one.
  public var isNew: Bool { database.isNew }

  /// Opens a file, or makes it.
  ///
  /// This reads the whole file once to be sure that it is sound, on the calling thread.
  ///
  /// - Parameters:
  ///   - path: The file; a path that does not begin with `/` starts at the working folder.
  ///   - makesFolders: Whether the folders that lead to a new file are made too. A person who typed
  ///     the path may have misspelt one of them, and would take the new file for lost posts.
  /// - Throws: ``DataServiceError/storage(path:reason:)`` when the path is not a file, cannot be
  ///   read and written, or is not a file of this kind, is damaged, or was written by a newer
  ///   version. The file is then as it was.
  ///   ``DataServiceError/diskFailure(path:reason:isOutcomeOpen:)`` when the disk is full or fails.
  public convenience init(path: String, makesFolders: Bool = true) throws(DataServiceError) {
    try self.init(LocalDatabaseOpening(path: path, makesFolders: makesFolders))
  }

  init(_ opening: LocalDatabaseOpening) throws(DataServiceError) {
    database = try LocalDatabase(opening)
  }

  /// Returns every user, by identity.
  public func fetchUsers() async throws(DataServiceError) -> [User] {
    try await database.users()
  }

  /// Returns every post, oldest first.
  public func fetchPosts() async throws(DataServiceError) -> [Post] {
    try await database.posts()
  }

  /// Stores a post and returns it with its new identity.
  ///
  /// - Parameter draft: What to store. A user who is not among ``fetchUsers()`` and a blank title
  ///   are refused as ``DataServiceError/invalidRequest(reason:)``.
  /// - Returns: The post, which is in the file and stays there.
  /// - Throws: What kept the post from being stored; then none of it was.
  public func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
    try draft.checkTitle()
    let userID: Int64?
    switch draft.userID {
    case nil: userID = nil
    case .number(let number): userID = number
    case .text(let text): throw try await unknownUser(.text(text))
    }
    guard
      let id = try await database.insertPost(
        userID: userID, title: draft.title, body: draft.body)
    else { throw try await unknownUser(draft.userID) }
    return Post(id: .number(id), userID: draft.userID, title: draft.title, body: draft.body)
  }

  private func unknownUser(
    _ id: RecordID?
  ) async throws(DataServiceError) -> DataServiceError {
    let known = try await database.users().map(\.id.description).joined(separator: ", ")
    return .invalidRequest(
      reason: "there is no user \(id?.description ?? "without identity"). "
        + "The users are \(known).")
  }
}
