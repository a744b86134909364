import Foundation
import TestSupport
import Testing

@testable import CurlHTTP

/// Many planned requests at once, each of which must end as it may.
final class ChaosRun: Sendable {
  /// What a request came to.
  enum Outcome {
    /// A status, and all of its body unless the reader stopped before.
    case response(Int, body: [UInt8], isWhole: Bool)
    case failure(HTTPClientError)
  }

  private let port: Int
  private let securePort: Int
  private let authority: String
  private let seed: UInt64
  private let clients: [Box<HTTPClient>]
  private let shutdowns = Box(0)
  private let tally = TestLock<[String: Int]>([:])
  let living = LivingObjects()

  init(port: Int, securePort: Int, authority: String, seed: UInt64) {
    self.port = port
    self.securePort = securePort
    self.authority = authority
    self.seed = seed
    clients = (0..<4).map { _ in Box(ChaosRun.client(authority)) }
  }

  private static func client(_ authority: String) -> HTTPClient {
    HTTPClient(configuration: .patient(certificateAuthorityFile: authority))
  }

  /// Makes all requests, so many at a time, and returns how many ended in which way.
  func run(_ numbers: Range<Int>, atOnce: Int = 48) async -> [String: Int] {
    await withTaskGroup(of: Void.self) { group in
      for (position, number) in numbers.enumerated() {
        if position >= atOnce { await group.next() }
        group.addTask { await self.perform(number) }
      }
    }
    for client in clients { await client.value.shutdown() }
    await living.waitUntilGone()
    return tally.withLock { $0 }
  }

  private func perform(_ number: Int) async {
    let plan = ChaosPlan(seed: seed, number: number, clients: clients.count)
    let client = clients[plan.client].value
    let task = Task { await self.outcome(of: plan, client) }
    if plan.endsClient {
      await clients[plan.client].exchange(ChaosRun.client(authority)).shutdown()
    }
    if let count = plan.cancel {
      // Some time that is not the same each time; not a wait for anything.
      var hash = Hasher()
      for value in 0..<count { hash.combine(value) }
      if hash.finalize() != 0 { task.cancel() }
    }
    judge(await task.value, plan)
  }

  private func outcome(of plan: ChaosPlan, _ client: HTTPClient) async -> (Outcome, Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let outcome = try await request(plan, client)
      return (outcome, clock.now - start)
    } catch let error as HTTPClientError {
      return (.failure(error), clock.now - start)
    } catch {
      Issue.record("\(plan) ended in an error of no type: \(error)")
      return (.failure(HTTPClientError(.internalFailure("\(error)"))), clock.now - start)
    }
  }

  private func request(_ plan: ChaosPlan, _ client: HTTPClient) async throws -> Outcome {
    let base = plan.overTLS ? "https://127.0.0.1:\(securePort)/" : "http://127.0.0.1:\(port)/"
    let closed = "http://127.0.0.1:1/"
    let path = plan.fault.path(number: plan.number, size: plan.size)
    var request = HTTPRequest(
      plan.isPost ? .post : .get,
      try HTTPURL((plan.fault == .closedPort ? closed : base) + path), limits: plan.limits)
    switch plan.way {
    case .send:
      let response = try await client.send(request)
      return .response(response.status, body: response.body, isWhole: true)
    case .stream(let pieces):
      return try await read(client.stream(request), pieces)
    case .drop:
      return .response(try await client.stream(request).status, body: [], isWhole: false)
    case .upload(let end, let isAnnounced, let isStreamed):
      request = HTTPRequest(.post, try HTTPURL(base + "unread-first"), limits: plan.limits)
      let source = ChaosSource(plan: plan, end: end, living: living)
      let length = isAnnounced && end != .never ? plan.size + (end == .tooShort ? 1 : 0) : nil
      if isStreamed {
        let response = try await client.stream(request, uploading: source, length: length)
        return try await read(response, nil)
      }
      let response = try await client.send(request, uploading: source, length: length)
      return .response(response.status, body: response.body, isWhole: true)
    case .refusedUpload(let isStreamed):
      request = HTTPRequest(.post, try HTTPURL(base + "unread-refused"), limits: plan.limits)
      let source = ChaosSource(plan: plan, end: .never, living: living)
      if isStreamed { return try await read(client.stream(request, uploading: source), nil) }
      let response = try await client.send(request, uploading: source)
      return .response(response.status, body: response.body, isWhole: true)
    }
  }

  private func read(_ response: HTTPStreamedResponse, _ pieces: Int?) async throws -> Outcome {
    var body: [UInt8] = []
    let iterator = response.body.makeAsyncIterator()
    for _ in 0..<(pieces ?? .max) {
      guard let bytes = try await iterator.next() else {
        return .response(response.status, body: body, isWhole: true)
      }
      body += bytes
    }
    return .response(response.status, body: body, isWhole: false)
  }
}

extension ChaosRun {
  private func judge(_ result: (outcome: Outcome, time: Duration), _ plan: ChaosPlan) {
    switch result.outcome {
    case .failure(let error):
      #expect(plan.allows(error.kind), "\(plan) ended thus: \(error)")
      if case .timedOut(_, after: let limit, _) = error.kind {
        #expect(result.time >= limit, "\(plan) ended after \(result.time)")
      }
      if let limit = plan.limit, let taken = error.metrics?.total {
        #expect(taken < limit + .seconds(120), "\(plan) took \(taken)")
      }
      if error.kind == .uploadFailed {
        #expect(
          error.cause as? ChaosSource.SourceError == ChaosSource.SourceError(number: plan.number))
      }
      count("\(error.kind)".prefix { $0 != "(" && $0 != ":" } + "")
    case .response(let status, let body, let isWhole):
      #expect(
        isRight(status, body, isWhole, plan), "\(plan) came to \(status), \(body.count) bytes")
      count(isWhole ? "response" : "part of a response")
    }
  }

  private func isRight(
    _ status: Int, _ body: [UInt8], _ isWhole: Bool, _ plan: ChaosPlan
  ) -> Bool {
    switch plan.way {
    case .refusedUpload:
      return status == 413 && body == [UInt8]("too large".utf8)
    case .upload(let end, let isAnnounced, _):
      guard status == 200, end.kinds(plan.size, isAnnounced).isEmpty else { return false }
      return body == plan.body + (end == .tooLong ? [0] : [])
    case .send, .stream, .drop:
      // The beginning of what breaks later is as right as that of what does not.
      guard plan.fault.isResponse else { return !isWhole && status == 200 }
      guard status == (plan.fault == .notFound ? 404 : 200) else { return false }
      return isWhole ? body == plan.body : plan.body.starts(with: body)
    }
  }

  private func count(_ name: String) { tally.withLock { $0[name, default: 0] += 1 } }
}
