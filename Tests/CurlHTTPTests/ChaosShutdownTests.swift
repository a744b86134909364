import TestSupport
import Testing

@testable import CurlHTTP

/// A client that ends at the most awkward moments of a request.
@Suite(.timeLimit(.minutes(5)))
struct ChaosShutdownTests {
  @Test func `H13: the source of an upload is let go when the client ends before anybody waits`()
    async throws
  {
    try await withSharedServer { test in
      let loop = TransferLoop(configuration: .patient())
      let thread = try #require(LoopThread { loop.run() })
      // Given an upload of which the loop thread knows, and a source that is being read
      let begun = Gate()
      let gate = Gate()
      let (endings, ending) = AsyncStream<Bool>.makeStream()
      let source = AsyncStream<[UInt8]> {
        begun.open()
        _ = await gate.wait()
        ending.yield(Task.isCancelled)
        return nil
      }
      let request = HTTPRequest(.post, test.base.appending(path: "unread-count"))
      let upload = RequestBodyBuffer(length: nil)
      let id = try loop.reserve(TransferOrder(request, upload: upload)).get()
      upload.read(source) { event in loop.submit(.upload(id, event)) }
      await begun.wait()
      let other = HTTPRequest(.get, test.base.appending(path: "ok"))
      #expect(try await loop.perform(other).get().text == "ok")

      // When the client ends before the caller of the upload waits for its answer
      loop.stop()
      await loop.waitUntilClosed()
      thread.join()
      let result = await loop.perform(id, request)

      // Then the caller is told, and the source is read no longer
      #expect(throws: HTTPClientError.self) { try result.get() }
      gate.open()
      let wasCancelled = await endings.first { _ in true }
      #expect(wasCancelled == true)
    }
  }

  @Test func `H13: uploads and streams that begin while the client ends are all let go`()
    async throws
  {
    try await withSharedServer { test in
      let living = LivingObjects()
      for round in 0..<40 {
        let client = HTTPClient.patient
        let url = test.base.appending(path: "unread-first")
        let plan = ChaosPlan(seed: 0, number: round, clients: 1)
        let source = ChaosSource(plan: plan, end: .whole, living: living)
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 {
            group.addTask {
              do throws(HTTPClientError) {
                let response = try await client.stream(HTTPRequest(.post, url), uploading: source)
                #expect(try await response.body.collect(upTo: .max) == plan.body)
              } catch { #expect(error.kind == .clientShutDown, "\(error)") }
            }
          }
          group.addTask { await client.shutdown() }
        }
      }
      await living.waitUntilGone()
      #expect(living.made > 0)
    }
  }
}
