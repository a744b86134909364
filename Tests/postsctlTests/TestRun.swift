import Services
import Synchronization

@testable import postsctl

/// A place to write to that remembers the text, or fails as it is told.
final class TestOutput: TextOutput {
  private let written = Mutex("")
  private let refusal: OutputError?
  private let failsLate: Bool

  /// Creates an output; with a refusal it fails at the check, or only at writing.
  init(refusal: OutputError? = nil, failsLate: Bool = false) {
    self.refusal = refusal
    self.failsLate = failsLate
  }

  /// What was written so far.
  var text: String { written.withLock { $0 } }

  func check() throws(OutputError) {
    if let refusal, !failsLate { throw refusal }
  }

  func write(_ text: String) throws(OutputError) {
    if let refusal { throw refusal }
    written.withLock { $0 += text }
  }
}

/// A service that answers from values and remembers what it was asked.
final class TestService: DataService {
  private let users: [User]
  private let posts: [Post]
  private let failure: DataServiceError?
  private let asked = Mutex<[String]>([])

  init(users: [User] = [], posts: [Post] = [], failure: DataServiceError? = nil) {
    self.users = users
    self.posts = posts
    self.failure = failure
  }

  /// The requests so far, and the end of the use.
  var requests: [String] { asked.withLock { $0 } }

  func note(_ request: String) { asked.withLock { $0.append(request) } }

  func fetchUsers() async throws(DataServiceError) -> [User] {
    note("users")
    if let failure { throw failure }
    return users
  }

  func fetchPosts() async throws(DataServiceError) -> [Post] {
    note("posts")
    if let failure { throw failure }
    return posts
  }

  func createPost(_ draft: PostDraft) async throws(DataServiceError) -> Post {
    note("create \(draft.userID.map { "\($0)" } ?? "-") \(draft.title) \(draft.body)")
    if let failure { throw failure }
    return Post(id: 101, userID: draft.userID, title: draft.title, body: draft.body)
  }
}

/// What a run of the tool left behind.
struct TestRun {
  let ending: Tool.Ending
  let output: String
  let errorOutput: String
  /// The services that were opened, in order.
  let opened: [ServiceConfiguration]

  /// Runs the tool in this process on an environment, a service and a standard output of its own.
  init(
    _ arguments: String..., environment: [String: String] = ["HOME": "/home/ada"],
    service: TestService = TestService(), standardOutput: TestOutput = TestOutput()
  ) async {
    await self.init(
      list: arguments, environment: environment, service: service, standardOutput: standardOutput)
  }

  /// Runs the tool with arguments that are in a list already.
  init(
    list arguments: [String], environment: [String: String] = ["HOME": "/home/ada"],
    service: TestService = TestService(), standardOutput: TestOutput = TestOutput()
  ) async {
    let errors = TestOutput()
    let opened = OpenedServices()
    let context = CommandContext(
      environment: environment, standardOutput: standardOutput, standardError: errors,
      open: { (configuration) throws(DataServiceError) in
        opened.add(configuration)
        return OpenService(service: service) { service.note("close") }
      })
    self.ending = await Tool(context: context).run(arguments)
    self.output = standardOutput.text
    self.errorOutput = errors.text
    self.opened = opened.configurations
  }
}

/// The services that a run opened.
private final class OpenedServices: Sendable {
  private let list = Mutex<[ServiceConfiguration]>([])
  var configurations: [ServiceConfiguration] { list.withLock { $0 } }
  func add(_ configuration: ServiceConfiguration) { list.withLock { $0.append(configuration) } }
}
