import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PythonServerTests {
  @Test func `a server says its port and is gone after stop`() async throws {
    let server = try await PythonServer("fault_server")
    #expect(server.port > 0)
    #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
    #expect(try await connects(to: server.port))
    await server.stop()
    #expect(try await !connects(to: server.port))
  }

  @Test func `the server is stopped when the body throws`() async throws {
    struct Failure: Error {}
    let ports = Recorder<Int>()
    await #expect(throws: Failure.self) {
      try await PythonServer.run("fault_server") { server in
        ports.record(server.port)
        throw Failure()
      }
    }
    let port = try #require(ports.values.first)
    #expect(try await !connects(to: port))
  }

  @Test func `a script that says no port is named in the error`() async throws {
    let error = await #expect(throws: PythonServer.StartError.self) {
      try await PythonServer("no_such_server")
    }
    #expect(error?.description.contains("Tests/Servers/no_such_server.py") == true)
  }

  @Test func `a temporary directory is there and then gone`() async throws {
    let path = try await withTemporaryDirectory { path in
      #expect(FileManager.default.fileExists(atPath: path))
      return path
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private func connects(to port: Int) async throws -> Bool {
    let script = "import socket; socket.create_connection(('127.0.0.1', \(port)), 5)"
    return try await runProcess("/usr/bin/env", ["python3", "-c", script]).exitCode == 0
  }
}
