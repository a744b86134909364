/// The one who reads a streamed body; with its release the transfer ends.
final class ResponseBodyReader: Sendable {
  let request: HTTPRequest
  private let id: UInt64
  private let buffer: ResponseBodyBuffer
  private let loop: TransferLoop
  /// Kept alive, since with its release it would end what is under way.
  private let client: HTTPClient

  init(
    _ request: HTTPRequest, id: UInt64, buffer: ResponseBodyBuffer, loop: TransferLoop,
    client: HTTPClient
  ) {
    self.request = request
    self.id = id
    self.buffer = buffer
    self.loop = loop
    self.client = client
  }

  // For a transfer that is over this is one command too many, which finds nothing.
  deinit { loop.submit(.cancel(id)) }

  /// The next piece, or nil at the end.
  func next() async throws(HTTPClientError) -> [UInt8]? {
    if Task.isCancelled { cancel() }
    var action = buffer.take()
    if action == .wait {
      action = await withTaskCancellationHandler {
        await buffer.wait()
      } onCancel: {
        cancel()
      }
    }
    guard case .give(let taken, let resumesTransfer) = action else { return nil }
    if resumesTransfer { loop.submit(.resume(id)) }
    switch taken {
    case .bytes(let bytes): return bytes
    case .end(nil): return nil
    case .end(let failure?): throw failure
    }
  }

  /// Ends the transfer for a reader who wants no more.
  private func cancel() {
    var reason = HTTPClientError(.cancelled, request: request)
    reason.mayHaveReachedServer = true
    buffer.abandon(reason)
    loop.submit(.cancel(id))
  }
}
