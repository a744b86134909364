import Services
import TestSupport

@testable import postsctl

/// A place to write to that remembers the text, or fails as it is told.
final class TestOutput: TextOutput {
  private let written = TestLock("")
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

/// What a run of the tool left behind.
struct TestRun {
  let ending: Tool.Ending
  let output: String
  let errorOutput: String
  /// The services that were opened, in order.
  let opened: [ServiceConfiguration]
  /// How many of them were closed again.
  let closeCount: Int

  /// Runs the tool in this process on an environment, a service and a standard output of its own.
  init(
    _ arguments: String..., environment: [String: String] = ["HOME": "/home/ada"],
    service: any DataService = FakeDataService(), notice: String? = nil,
    standardOutput: TestOutput = TestOutput()
  ) async {
    await self.init(
      list: arguments, environment: environment, service: service, notice: notice,
      standardOutput: standardOutput)
  }

  /// Runs the tool with arguments that are in a list already.
  init(
    list arguments: [String], environment: [String: String] = ["HOME": "/home/ada"],
    service: any DataService = FakeDataService(), notice: String? = nil,
    standardOutput: TestOutput = TestOutput()
  ) async {
    let errors = TestOutput()
    let opened = OpenedServices()
    let context = CommandContext(
      environment: environment, standardOutput: standardOutput, standardError: errors,
      open: { (configuration) throws(DataServiceError) in
        opened.add(configuration)
        return OpenService(service: service, notice: notice) { opened.countClose() }
      })
    self.ending = await Tool(context: context).run(arguments)
    self.output = standardOutput.text
    self.errorOutput = errors.text
    self.opened = opened.configurations
    self.closeCount = opened.closeCount
  }
}

/// The services that a run opened and closed.
private final class OpenedServices: Sendable {
  private let state = TestLock((configurations: [ServiceConfiguration](), closeCount: 0))

  var configurations: [ServiceConfiguration] { state.withLock { $0.configurations } }
  var closeCount: Int { state.withLock { $0.closeCount } }

  func add(_ configuration: ServiceConfiguration) {
    state.withLock { $0.configurations.append(configuration) }
  }

  func countClose() { state.withLock { $0.closeCount += 1 } }
}

extension FakeDataService {
  /// A service that fails whatever it is asked.
  static func failing(_ error: DataServiceError) -> FakeDataService {
    scripted(
      fetchUsers: [.failure(error)], fetchPosts: [.failure(error)], createPost: [.failure(error)])
  }
}
