import Services

extension SharedOptions {
  /// Opens the service these options choose, lets `work` use it, and closes it again.
  ///
  /// - Parameters:
  ///   - context: What the command may touch.
  ///   - task: What the command does, to stand after "cannot" in a message.
  ///   - changes: Whether a request that fails may still have changed something.
  ///   - work: The use of the service.
  /// - Returns: What `work` returns.
  /// - Throws: The failure to open the service or to use it, explained.
  func session<Value: Sendable>(
    in context: CommandContext, to task: String, changes: Bool = false,
    _ work: (Session) async throws(DataServiceError) -> Value
  ) async throws(Failure) -> Value {
    let configuration = try ServiceConfiguration(
      options: self, environment: context.environment)
    do throws(DataServiceError) {
      let opened = try context.open(configuration)
      if let notice = opened.notice { context.note(notice) }
      let outcome = await Self.result { () async throws(DataServiceError) in
        try await work(Session(service: opened.service))
      }
      await opened.close()
      return try outcome.get()
    } catch {
      throw Failure(error, task: task, service: configuration, changes: changes)
    }
  }

  private static func result<Value>(
    of work: () async throws(DataServiceError) -> Value
  ) async -> Result<Value, DataServiceError> {
    do throws(DataServiceError) {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }
}
