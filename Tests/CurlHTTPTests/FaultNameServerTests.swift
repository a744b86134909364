#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import CurlHTTP

  /// A network whose name server takes questions and answers none.
  ///
  /// The tests run themselves again in such a network.
  @Suite(.timeLimit(.minutes(5)))
  struct FaultNameServerTests {
    private static let isInside =
      ProcessInfo.processInfo.environment["MILLRACE_SILENT_NAME_SERVER"] != nil

    private static func runInside(_ command: [String], in directory: String) async throws
      -> ProcessResult
    {
      try await runProcess(
        "/usr/bin/env",
        [
          "unshare", "-rmn", "python3", Repository.path("Tests/Servers/silent_name_server.py"),
          directory + "/resolv.conf",
        ] + command,
        environment: [
          "HOME": directory, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
          "MILLRACE_SILENT_NAME_SERVER": "1",
        ],
        // Well below the name server's own limit.
        timeout: .seconds(90))
    }

    private static var isPossible: Bool {
      get async throws {
        if isInside { return false }
        return try await withTemporaryDirectory { directory in
          let question = "import socket; s = socket.socket(2, 2); s.sendto(b'?', ('127.0.0.1', 53))"
          let result = try await runInside(["python3", "-c", question], in: directory)
          if result.exitCode != 0 {
            print("No network namespace here, so no silent name server: \(result.errorOutput)")
          }
          return result.exitCode == 0
        }
      }
    }

    @Test(.enabled("needs a network namespace") { try await isPossible })
    func `H3, H10, H13: limits, cancels and the end hold with a silent name server`() async throws {
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      try await withTemporaryDirectory { directory in
        let result = try await Self.runInside(
          [
            program, "--testing-library", "swift-testing", "--filter",
            "FaultNameServerTests.*inside",
          ],
          in: directory)
        #expect(result.ending == .exit(0), "\(result.output) \(result.errorOutput)")
        #expect(
          (result.output + result.errorOutput).contains("Test run with 4 tests in 1 suite passed"))
      }
    }

    @Test(.enabled(if: isInside)) func `H3: inside, the total limit ends it`() async throws {
      let error = await failure(.patient(total: .milliseconds(300)))
      #expect(error?.kind == .timedOut(.total, after: .milliseconds(300), bytesReceived: 0))
      #expect(error?.mayHaveReachedServer == false)
    }

    @Test(.enabled(if: isInside)) func `H3: inside, the connect limit ends it`() async throws {
      let error = await failure(.patient(connect: .milliseconds(300)))
      #expect(error?.kind == .timedOut(.connect, after: .milliseconds(300), bytesReceived: 0))
      #expect(error?.mayHaveReachedServer == false)
    }

    @Test(.enabled(if: isInside))
    func `H10: inside, a cancel ends it, and others go on meanwhile`() async throws {
      try await withServer { test in
        let url = try HTTPURL("http://silent.example/")
        let request = HTTPRequest(.get, url)
        let tasks = (0..<5).map { _ in
          startedTask { await test.outcome(of: request) }
        }
        for _ in 0..<20 { #expect(try await test.send(.get, "ok").text == "ok") }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await Expected(task.value) == .failure(.cancelled)) }
        #expect(try await test.send(.get, "ok").text == "ok")
      }
    }

    @Test(.enabled(if: isInside)) func `H13: inside, the end of the client ends it`() async throws {
      let client = HTTPClient.patient
      let request = HTTPRequest(.get, try HTTPURL("http://silent.example/"))
      let task = startedTask { () -> HTTPClientError.Kind? in
        do throws(HTTPClientError) {
          _ = try await client.send(request)
          return nil
        } catch { return error.kind }
      }
      await client.shutdown()
      #expect(await task.value == .clientShutDown)
    }

    private func failure(_ limits: HTTPLimits) async -> HTTPClientError? {
      let client = HTTPClient.patient
      let error = await #expect(throws: HTTPClientError.self) {
        let url = try HTTPURL("http://silent.example/")
        _ = try await client.send(HTTPRequest(.post, url, limits: limits))
      }
      await client.shutdown()
      return error
    }
  }
#endif
