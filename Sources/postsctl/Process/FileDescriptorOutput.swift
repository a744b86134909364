#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file of the process, written to without a buffer, so that every error is seen.
///
/// `print` reports nothing when the disk is full, and `FileHandle` traps when the pipe is closed.
struct FileDescriptorOutput: TextOutput {
  /// The number of the file.
  let descriptor: Int32

  static let standardOutput = FileDescriptorOutput(descriptor: STDOUT_FILENO)
  static let standardError = FileDescriptorOutput(descriptor: STDERR_FILENO)

  func check() throws(OutputError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
      throw .refused(reason: Self.reason(EBADF))
    }
  }

  func write(_ text: String) throws(OutputError) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      // The pointer covers the bytes from `written` to the end of the array, which lives and does
      // not change for the length of the call; `write` only reads from it.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe systemWrite(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count > 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE: throw .brokenPipe
      case let code: throw .refused(reason: Self.reason(code))
      }
    }
  }

  /// Waits for a file that the parent process made non-blocking.
  private func waitUntilWritable() {
    var request = pollfd(descriptor: descriptor)
    // The pointer is to one value on the stack, which is what the count says.
    _ = unsafe poll(&request, 1, -1)
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case EBADF: "standard output is closed, or not open for writing"
    case ENOSPC: "no space is left on the device"
    case EDQUOT: "the disk quota is used up"
    case EFBIG: "the file would be larger than is allowed"
    case EIO: "the device reports an input/output error"
    default: "the system reports error \(code)"
    }
  }
}

/// `write(2)`, under a name that is not hidden by the method called `write`.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

extension pollfd {
  fileprivate init(descriptor: Int32) {
    self.init(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  }
}
