import Foundation
import HTTPWork
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads one body as it comes, through a delegate: Foundation has no asynchronous sequence of bytes
/// on Linux.
final class BodyReader: NSObject, URLSessionDataDelegate {
  private struct State {
    var bytes = 0
    var waiter: CheckedContinuation<(status: Int, bytes: Int), any Error>?
  }

  private let state = Mutex(State())

  func read(_ url: URL, _ work: HTTPWork) async throws {
    let session = URLSession(
      configuration: HTTPURLSession.configuration(work), delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let answer = try await withCheckedThrowingContinuation { continuation in
      state.withLock { $0.waiter = continuation }
      session.dataTask(with: url).resume()
    }
    try work.check(status: answer.status, bodySize: answer.bytes)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.bytes += data.count }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    let (waiter, bytes) = state.withLock { state in
      defer { state.waiter = nil }
      return (state.waiter, state.bytes)
    }
    if let error {
      waiter?.resume(throwing: error)
    } else {
      waiter?.resume(returning: (status, bytes))
    }
  }
}
