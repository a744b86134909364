import Foundation
import TestSupport
import Testing

@testable import CurlHTTP

#if os(Linux)
  private func setting<Value: LosslessStringConvertible>(_ name: String) -> Value? {
    ProcessInfo.processInfo.environment["MILLRACE_CHAOS_" + name].flatMap(Value.init)
  }

  /// For how long there are more rounds.
  private let minutes: Int = setting("MINUTES") ?? 0

  /// Random requests, faults, cancels, limits and shutdowns, in a process of their own.
  ///
  /// `MILLRACE_CHAOS_REQUESTS` is how many requests there are a round, `MILLRACE_CHAOS_SEED` the seed
  /// of the first round, and `MILLRACE_CHAOS_MINUTES` for how long there are more of them.
  @Suite(.timeLimit(.minutes(5 + minutes * 2)))
  struct ChaosTests {
    @Test
    func `H1, H3, H5, H10, H13: whatever happens, each request ends once, and nothing is left`()
      async throws
    {
      let count: Int = setting("REQUESTS") ?? (isThreadSanitized ? 200 : 1_000)
      var seed: UInt64 = setting("SEED") ?? .random(in: 0..<1_000_000)
      let clock = ContinuousClock()
      let end = clock.now + .seconds(60 * minutes)
      try await withTemporaryDirectory { directory in
        let certificates = try await Certificates(in: directory)
        let pair = try await certificates.signed("chaos", hosts: "IP:127.0.0.1")
        repeat {
          try await round(
            seed: seed, count: count, pair, authority: certificates.authority)
          seed += 1
        } while clock.now < end
      }
    }

    private func round(
      seed: UInt64, count: Int, _ pair: Certificates.Pair, authority: String
    ) async throws {
      print("chaos: \(count) requests, MILLRACE_CHAOS_SEED=\(seed)")
      try await PythonServer.run("fault_server") { server in
        try await PythonServer.run("fault_server", pair.arguments) { secure in
          let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
          ) {
            [
              port = server.port as Int, securePort = secure.port as Int,
              authority = authority as String, seed = seed as UInt64, count = count as Int,
            ] in
            // A first round, for what is made once and kept.
            _ = await ChaosRun(
              port: port, securePort: securePort, authority: authority, seed: ~seed
            ).run(0..<100)
            let before = try OpenResources()
            let run = ChaosRun(
              port: port, securePort: securePort, authority: authority, seed: seed)
            let tally = await run.run(0..<count)
            let after = try OpenResources()
            print("chaos: \(after),", tally.sorted { $0.key < $1.key }.map { "\($1) \($0)" })
            #expect(tally.values.reduce(0, +) == count, "\(tally)")
            #expect(after.descriptors == before.descriptors, "first \(before), then \(after)")
            // Threads of the concurrency pool come and go.
            #expect(after.threads <= before.threads + 6, "first \(before), then \(after)")
          }
          print(
            String(decoding: result?.standardOutputContent ?? [], as: UTF8.self), terminator: "")
        }
      }
    }
  }

  /// What the process has open.
  struct OpenResources: CustomStringConvertible {
    var descriptors: [String]
    var threads: Int

    var description: String { "\(descriptors.count) descriptors and \(threads) threads" }

    init() throws {
      let files = FileManager.default
      // The listing itself has one open, which is gone when it is asked where it leads to.
      descriptors = try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }.map { $0.prefix { $0 != "[" } + "" }.sorted()
      threads = try files.contentsOfDirectory(atPath: "/proc/self/task").count
    }
  }
#endif
