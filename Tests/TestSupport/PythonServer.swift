import Foundation

/// A server from `Tests/Servers`, written in Python's standard library and bound to loopback.
///
/// Such a server prints `PORT n` once it listens, and ends when its standard input closes, so that
/// none survives the tests, even when they crash. The tests see its standard error.
///
/// ```swift
/// try await PythonServer.run("fault_server") { server in
///   let url = try HTTPURL(server.baseURL)
/// }
/// ```
public final class PythonServer: Sendable {
  /// Why a server could not be used.
  public struct StartError: Error, CustomStringConvertible {
    /// A full sentence.
    public let description: String
  }

  /// The port on 127.0.0.1.
  public let port: Int

  private let child: ChildProcess

  /// The server's root, without a final slash: `http://127.0.0.1:PORT`.
  public var baseURL: String { "http://127.0.0.1:\(port)" }

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - name: The file's name in `Tests/Servers`, without `.py`.
  ///   - arguments: The server's own arguments.
  /// - Throws: ``StartError`` when it does not say its port within 40 seconds.
  public init(_ name: String, _ arguments: [String] = []) async throws {
    let script = Repository.path("Tests/Servers/\(name).py")
    child = try ChildProcess(
      executable: try await PythonServer.interpreter.value,
      arguments: ["-I", "-S", "-u", script] + arguments, environment: nil, passesErrors: true)
    let startLimit = child.killAfter(.seconds(40))
    let line = await child.readOutputLine() ?? ""
    startLimit.cancel()
    let words = line.split(separator: " ")
    guard words.count == 2, words[0] == "PORT", let port = Int(words[1]) else {
      child.killIfRunning()
      throw StartError(
        description: """
          The server \(script) did not start: its first line was "\(line)", not "PORT n". \
          Run it by hand to see its error, and check that python3 is on the PATH.
          """)
    }
    self.port = port
  }

  deinit { child.closeInput() }

  /// The interpreter itself; what is on the PATH may be a script that takes longer than the server.
  private static let interpreter = Task {
    let script = "import sys; print(sys.executable, end='')"
    let result = try await runProcess("/usr/bin/env", ["python3", "-c", script])
    guard result.exitCode == 0 else {
      throw StartError(
        description: "There is no python3 on the PATH, which the test servers need: install it.")
    }
    return result.output
  }

  /// Ends the server and waits until it is gone.
  public func stop() async {
    child.closeInput()
    let limit = child.killAfter(.seconds(5))
    _ = await child.waitForExit()
    limit.cancel()
  }

  /// Runs `body` with a server of its own and stops it afterwards, whatever happens.
  ///
  /// - Parameters:
  ///   - name: The file's name in `Tests/Servers`, without `.py`.
  ///   - arguments: The server's own arguments.
  ///   - body: What to do with the server.
  /// - Returns: What `body` returns.
  /// - Throws: ``StartError``, or what `body` throws.
  public static func run<Result>(
    _ name: String, _ arguments: [String] = [], _ body: (PythonServer) async throws -> Result
  ) async throws -> Result {
    let server = try await PythonServer(name, arguments)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }
}
