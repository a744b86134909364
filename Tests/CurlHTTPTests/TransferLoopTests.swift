import TestSupport
import Testing

@testable import CurlHTTP

@Suite(.timeLimit(.minutes(5)))
struct TransferLoopTests {
  @Test func `a loop that cannot begin fails every request with the reason`() async throws {
    let request = HTTPRequest(.get, try HTTPURL("http://h/"))
    let reason = HTTPClientError.Kind.internalFailure("the system could not start a thread")
    for _ in 0..<200 {
      // Given requests that come before, during and after the failure.
      let loop = TransferLoop(configuration: .patient())
      async let first = loop.perform(request)
      async let second = loop.perform(request)
      loop.close(reason)
      let third = await loop.perform(request)

      // Then each says why, and where it would have gone; and waiting for the end ends.
      for result in [await first, await second, third] {
        #expect(result == .failure(HTTPClientError(reason, request: request)))
      }
      loop.stop()
      await loop.waitUntilClosed()
    }
  }

  @Test func `a cancel that overtakes the wait is not lost`() async throws {
    let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:1/"))
    let loop = TransferLoop(configuration: .patient())
    let gate = Gate()
    // The handler of a task that is cancelled already runs before anything else.
    let task = Task {
      await gate.wait()
      return await loop.perform(request)
    }
    task.cancel()
    gate.open()
    let thread = try #require(LoopThread { loop.run() })
    let result = await task.value
    #expect(result == .failure(HTTPClientError(.cancelled, request: request)))
    loop.stop()
    await loop.waitUntilClosed()
    thread.join()
    thread.join()
  }
}
