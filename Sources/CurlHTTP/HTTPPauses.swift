/// The pauses before retries, which the end of the client ends as well.
final class HTTPPauses: Sendable {
  /// How a pause ended.
  enum End: Equatable, Sendable {
    /// Its time is over.
    case over
    /// The task was cancelled.
    case cancelled
    /// The client was shut down.
    case shutDown
  }

  private struct State {
    var isShutDown = false
    var lastID: UInt64 = 0
    var running: [UInt64: AsyncStream<Never>.Continuation] = [:]
  }

  private let state = Lock(State())

  /// Waits, and no longer than the task and the client live.
  func pause(_ duration: Duration, on clock: any Clock<Duration>) async -> End {
    let (shutdown, continuation) = AsyncStream.makeStream(of: Never.self)
    guard let id = begin(continuation) else { return .shutDown }
    defer { end(id) }
    return await withTaskGroup(of: End.self) { group in
      group.addTask {
        do { try await clock.sleep(for: duration) } catch { return .cancelled }
        return .over
      }
      group.addTask {
        for await _ in shutdown {}
        return Task.isCancelled ? .cancelled : .shutDown
      }
      let end = await group.next() ?? .cancelled
      group.cancelAll()
      return end
    }
  }

  /// Ends all pauses, and every later one at once.
  func shutDown() {
    let running = state.withLock { state in
      state.isShutDown = true
      defer { state.running = [:] }
      return state.running
    }
    for continuation in running.values { continuation.finish() }
  }

  private func begin(_ continuation: AsyncStream<Never>.Continuation) -> UInt64? {
    state.withLock { state in
      if state.isShutDown { return nil }
      state.lastID += 1
      state.running[state.lastID] = continuation
      return state.lastID
    }
  }

  private func end(_ id: UInt64) {
    let continuation = state.withLock { $0.running.removeValue(forKey: id) }
    continuation?.finish()
  }
}
