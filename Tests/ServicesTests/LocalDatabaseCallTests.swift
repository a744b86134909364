import TestSupport
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5)))
struct LocalDatabaseCallTests {
  @Test func `D4: a call that was cancelled before it waited never begins`() async {
    let call = LocalDatabaseCall<Int>()
    call.cancel()
    let result = await withCheckedContinuation { call.wait(with: $0) }
    call.run { _ in
      Issue.record("cancelled work began")
      return .success(1)
    }
    #expect(result == .failure(.cancelled))
  }

  @Test func `D4: a call that is cancelled in the queue ends at once and never begins`() async {
    let call = LocalDatabaseCall<Int>()
    let result = await withCheckedContinuation { continuation in
      call.wait(with: continuation)
      call.cancel()
    }
    call.run { _ in
      Issue.record("cancelled work began")
      return .success(1)
    }
    #expect(result == .failure(.cancelled))
  }

  @Test func `D4: a call that is cancelled at work says what became of it`() async {
    let call = LocalDatabaseCall<Int>()
    let result = await withCheckedContinuation { continuation in
      call.wait(with: continuation)
      call.run { wait in
        #expect(!wait.isCancelled)
        call.cancel()
        #expect(wait.isCancelled)
        return .success(7)
      }
    }
    #expect(result == .success(7))
  }

  @Test func `D4: cancelling a call that has ended does nothing`() async {
    let call = LocalDatabaseCall<Int>()
    let result = await withCheckedContinuation { continuation in
      call.wait(with: continuation)
      call.run { _ in .success(7) }
      call.cancel()
      call.cancel()
    }
    #expect(result == .success(7))
  }
}
