import Foundation
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(5))) struct `File descriptor output` {
  @Test func `P5: text longer than a pipe arrives whole, also where writing never waits`()
    async throws
  {
    // Given a pipe whose end for writing was made non-blocking, as terminals sometimes are
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let text = String(repeating: "0123456789äöü\n", count: 40_000)

    // When more is written than it holds
    let received = Task.detached { try pipe.fileHandleForReading.readToEnd() }
    try FileDescriptorOutput(descriptor: descriptor).write(text)
    try pipe.fileHandleForWriting.close()

    // Then all of it arrives, in order
    #expect(try await received.value == Data(text.utf8))
  }

  @Test func `P4: nobody at the other end is its own error`() throws {
    // Given a process that ignores the signal, as one that uses sockets has to
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let output = FileDescriptorOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)

    #expect(throws: OutputError.brokenPipe) { try output.write("x") }
    try pipe.fileHandleForWriting.close()
  }

  @Test func `P4: what is not open for writing is found out before anything is written`() throws {
    let closed = OutputError.refused(reason: "standard output is closed, or not open for writing")
    let pipe = Pipe()
    let readable = FileDescriptorOutput(descriptor: pipe.fileHandleForReading.fileDescriptor)

    #expect(throws: closed) { try readable.check() }
    #expect(throws: closed) { try readable.write("x") }
    #expect(throws: closed) { try FileDescriptorOutput(descriptor: -1).check() }
    #expect(throws: Never.self) {
      try FileDescriptorOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor).check()
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `P4: a full disk is named`() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let output = FileDescriptorOutput(descriptor: full.fileDescriptor)

    #expect(throws: Never.self) { try output.check() }
    #expect(throws: OutputError.refused(reason: "no space is left on the device")) {
      try output.write("x")
    }
    #expect(throws: Never.self) { try output.write("") }
    try full.close()
  }
}
