import TestSupport
import Testing

@testable import CurlHTTP

@Suite
struct HTTPRetryStateMachineTests {
  private func machine(
    _ retries: HTTPRetries = .init(), total: Duration = .seconds(3_600)
  ) -> HTTPRetryStateMachine {
    HTTPRetryStateMachine(retries: retries, total: total)
  }

  private func error(
    _ kind: HTTPClientError.Kind, mayHaveReachedServer: Bool = false
  ) -> HTTPRetryStateMachine.Outcome {
    .failure(HTTPClientError(kind, mayHaveReachedServer: mayHaveReachedServer))
  }

  @Test(arguments: 200...599)
  func `H7: these statuses are tried again, and no others`(status: Int) {
    var machine = machine()
    let action = machine.finish(
      .status(status, retryAfter: nil), isRepeatable: true, elapsed: .zero, jitter: 1)
    let isRetried = [408, 425, 429, 500, 502, 503, 504].contains(status)
    #expect(action == (isRetried ? .pause(.milliseconds(500)) : .deliver))
  }

  @Test func `H7: an error that may pass is tried again, and no other`() {
    let passing: [HTTPClientError.Kind] = [
      .couldNotResolve(host: "h"), .couldNotConnect(host: "h"), .connectionLost,
      .timedOut(.connect, after: .seconds(1), bytesReceived: 0), .tls(.handshake),
      .brokenResponse(.empty), .brokenResponse(.truncated),
    ]
    let lasting: [HTTPClientError.Kind] = [
      .invalidURL("x"), .invalidHeader(name: "x", reason: "y"), .invalidRequest("x"),
      .tls(.expired), .tls(.selfSigned), .timedOut(.total, after: .seconds(1), bytesReceived: 0),
      .bodyTooLarge(limit: 1), .headersTooLarge(limit: 1), .tooManyRedirects(limit: 1),
      .redirectRefused(.insecure, status: 301, location: "x"), .brokenResponse(.notHTTP),
      .brokenResponse(.conflictingLengths), .brokenResponse(.undecodable), .cancelled,
      .clientShutDown, .internalFailure("x"),
    ]
    for kind in passing + lasting {
      var machine = machine()
      let action = machine.finish(
        error(kind, mayHaveReachedServer: true), isRepeatable: true, elapsed: .zero, jitter: 0)
      #expect(action == (passing.contains(kind) ? .pause(.zero) : .deliver), "\(kind)")
    }
  }

  @Test func `H7: three tries in all, and the last answer stands`() {
    var machine = machine()
    let outcome = HTTPRetryStateMachine.Outcome.status(503, retryAfter: nil)
    for attempt in 1...2 {
      #expect(machine.attempts == attempt)
      let action = machine.finish(outcome, isRepeatable: true, elapsed: .zero, jitter: 0)
      #expect(action == .pause(.zero))
      machine.resume()
    }
    let last = machine.finish(outcome, isRepeatable: true, elapsed: .zero, jitter: 0)
    #expect(last == .giveUp(.attemptsUsedUp))
    #expect(machine.attempts == 3)
  }

  @Test func `H7: what may do harm twice is sent again only if nothing was sent`() {
    var unsent = machine()
    #expect(
      unsent.finish(
        error(.couldNotConnect(host: "h")), isRepeatable: false, elapsed: .zero, jitter: 0)
        == .pause(.zero))
    var sent = machine()
    #expect(
      sent.finish(
        error(.connectionLost, mayHaveReachedServer: true), isRepeatable: false, elapsed: .zero,
        jitter: 0) == .giveUp(.notRepeatable))
    var answered = machine()
    #expect(
      answered.finish(
        .status(503, retryAfter: .zero), isRepeatable: false, elapsed: .zero, jitter: 0)
        == .giveUp(.notRepeatable))
  }

  @Test func `H7: pauses double up to the cap, and chance takes any part of them`() {
    let retries = HTTPRetries(
      attempts: 8, baseDelay: .seconds(1), longestDelay: .seconds(10))
    for jitter in [0, 0.25, 1] {
      var machine = machine(retries)
      for bound in [1.0, 2, 4, 8, 10, 10, 10] {
        let action = machine.finish(
          .status(500, retryAfter: nil), isRepeatable: true, elapsed: .zero, jitter: jitter)
        #expect(action == .pause(.seconds(bound * jitter)))
        machine.resume()
      }
    }
  }

  @Test func `H7: a server's Retry-After is the least, up to the cap`() {
    let retries = HTTPRetries(baseDelay: .seconds(4), longestDelay: .seconds(10))
    for (asked, action) in [
      (Duration.seconds(3), HTTPRetryStateMachine.Action.pause(.seconds(4))),
      (.seconds(7), .pause(.seconds(7))), (.seconds(10), .pause(.seconds(10))),
      (.seconds(11), .giveUp(.serverAsksForMore(.seconds(11)))),
      (.seconds(Int.max), .giveUp(.serverAsksForMore(.seconds(Int.max)))),
    ] {
      var machine = machine(retries)
      #expect(
        machine.finish(
          .status(429, retryAfter: asked), isRepeatable: true, elapsed: .zero, jitter: 1) == action)
    }
  }

  @Test func `H7: no pause goes past the total limit`() {
    for (elapsed, action) in [
      (Duration.milliseconds(8_999), HTTPRetryStateMachine.Action.pause(.seconds(1))),
      (.seconds(9), .giveUp(.totalLimit)), (.seconds(100), .giveUp(.totalLimit)),
    ] {
      var machine = machine(HTTPRetries(baseDelay: .seconds(1)), total: .seconds(10))
      #expect(
        machine.finish(
          .status(500, retryAfter: nil), isRepeatable: true, elapsed: elapsed, jitter: 1) == action)
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1])
  func `H7: never means once, and there is no less`(attempts: Int) {
    var changed = HTTPRetries()
    changed.attempts = attempts
    for retries in [.never, HTTPRetries(attempts: attempts), changed] {
      #expect(retries.attempts == 1)
      var machine = machine(retries)
      #expect(
        machine.finish(.status(500, retryAfter: nil), isRepeatable: true, elapsed: .zero, jitter: 0)
          == .deliver)
    }
  }

  @Test func `H7: whatever the policy and the server say, a pause keeps to its bounds`() {
    var random = SplitMix64(seed: 7)
    let durations: [Duration] = [
      .seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .milliseconds(500), .seconds(60),
      .seconds(Int64.max),
    ]
    for _ in 0..<20_000 {
      let retries = HTTPRetries(
        attempts: .random(in: 2...80, using: &random),
        baseDelay: durations.randomElement(using: &random) ?? .zero,
        longestDelay: durations.randomElement(using: &random) ?? .zero)
      let total = durations.randomElement(using: &random) ?? .zero
      var machine = machine(retries, total: total)
      for _ in 0..<retries.attempts {
        let asked = durations.filter { $0 >= .zero }.randomElement(using: &random)
        let elapsed = Duration.seconds(Int64.random(in: 0...100, using: &random))
        let action = machine.finish(
          .status(503, retryAfter: asked), isRepeatable: true, elapsed: elapsed,
          jitter: .random(in: -2...2, using: &random))
        guard case .pause(let pause) = action else { break }
        #expect(pause >= .zero && pause <= max(.zero, retries.longestDelay))
        #expect(pause >= asked ?? .zero)
        #expect(elapsed + pause < total)
        machine.resume()
      }
      #expect(machine.attempts <= retries.attempts)
    }
  }
}
