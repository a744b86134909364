import Foundation
import Testing

@testable import CurlHTTP

@Suite
struct CurlSocketsTests {
  @Test func `H13: child processes do not inherit the sockets of a client`() {
    let sockets = CurlSockets()
    let descriptor = sockets.open(family: AF_INET, type: streamType, protocol: 0)
    #expect(descriptor >= 0)
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(sockets.close(descriptor) == 0)
  }

  @Test func `H5: a connection that has served nothing is not stale`() {
    let sockets = CurlSockets()
    let descriptor = sockets.open(family: AF_INET, type: streamType, protocol: 0)
    // It has no port yet, and whoever asks for one gets no answer for it.
    sockets.noteServed(port: 80)
    #expect(!sockets.isStale(port: 80))
    #expect(sockets.close(descriptor) == 0)
  }

  private var streamType: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }
}
