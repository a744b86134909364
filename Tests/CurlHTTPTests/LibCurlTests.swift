import Foundation
import Testing

@testable import CurlHTTP

/// What using a client does to the process around it.
@Suite(.timeLimit(.minutes(5)))
struct LibCurlTests {
  // OpenSSL writes to connections that the other side has closed, without asking not to be told.
  @Test func `a broken pipe does not end a process that uses a client`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // Given a process to which the signal would be the end
      signal(SIGPIPE, SIG_DFL)
      // When it has used a client
      _ = try? await HTTPClient.patient.send(HTTPRequest(.get, HTTPURL("http://127.0.0.1:1/")))
      // Then it outlives the signal
      raise(SIGPIPE)
      exit(7)
    }
  }

  @Test func `a program's own handler of broken pipes stays`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGPIPE) { _ in _exit(7) }
      _ = try? await HTTPClient.patient.send(HTTPRequest(.get, HTTPURL("http://127.0.0.1:1/")))
      raise(SIGPIPE)
    }
  }
}
