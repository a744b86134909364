import CCurl

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The sockets of a client's connections.
///
/// libcurl would open them itself, but programs that the process starts would inherit them and keep
/// connections open that the client has closed. And libcurl 7.88 uses a connection again on which
/// bytes wait that nobody asked for, and takes them for the next response: the late answer of a
/// server that gave up waiting, or one that somebody has smuggled in.
@safe
final class CurlSockets {
  private struct Connection {
    /// The port on this side; nil until it was asked for, once it is connected.
    var port: Int?
    /// Whether nothing may come before the next request, because a response in HTTP/1 has come.
    ///
    /// In HTTP/2 a server may speak at any time.
    var hasServed = false
  }

  private var connections: [Int32: Connection] = [:]

  /// Opens a socket that child processes do not inherit; -1 if the system has none.
  func open(family: Int32, type: Int32, protocol: Int32) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(family, type, `protocol`)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    #else
      let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), `protocol`)
    #endif
    if descriptor >= 0 { connections[descriptor] = Connection() }
    return descriptor
  }

  /// Closes a socket.
  func close(_ descriptor: Int32) -> Int32 {
    connections[descriptor] = nil
    #if canImport(Glibc)
      return Glibc.close(descriptor)
    #elseif canImport(Musl)
      return Musl.close(descriptor)
    #else
      return Darwin.close(descriptor)
    #endif
  }

  /// A response in HTTP/1 has come, over a connection from this port.
  func noteServed(port: Int) {
    for descriptor in descriptors(from: port) { connections[descriptor]?.hasServed = true }
  }

  /// Whether bytes have come over a connection from this port, or its end, since its last response.
  ///
  /// Connections to several hosts may come from one port. To give one up too many does no harm.
  func isStale(port: Int) -> Bool {
    descriptors(from: port).contains { descriptor in
      guard connections[descriptor]?.hasServed == true else { return false }
      var byte: UInt8 = 0
      // -1 says that nothing is there.
      return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
    }
  }

  private func descriptors(from port: Int) -> [Int32] {
    connections.keys.filter { descriptor in
      if connections[descriptor]?.port == nil {
        connections[descriptor]?.port = CurlSockets.localPort(of: descriptor)
      }
      return connections[descriptor]?.port == port
    }
  }

  /// The port on this side of a connection; nil while there is none.
  private static func localPort(of descriptor: Int32) -> Int? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // The port of both families is at the same place, in the order of the network.
    return unsafe withUnsafeMutableBytes(of: &address) { bytes -> Int? in
      guard let base = bytes.baseAddress,
        unsafe getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      let port = unsafe Int(bytes[2]) << 8 | Int(bytes[3])
      return port == 0 ? nil : port
    }
  }
}
