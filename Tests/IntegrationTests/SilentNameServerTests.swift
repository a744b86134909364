import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// A network whose name server takes questions and answers none.
  @Suite(.timeLimit(.minutes(5)))
  struct SilentNameServerTests {
    /// Builds such a network, for one process only, and runs a program in it.
    private static let script = """
      import fcntl, os, socket, struct, subprocess, sys
      with open(sys.argv[1], "w") as file:
          file.write("nameserver 127.0.0.1\\noptions timeout:25 attempts:1\\n")
      subprocess.run(["mount", "--bind", sys.argv[1], "/etc/resolv.conf"], check=True)
      silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      up = struct.pack("16sh", b"lo", 0x1 | 0x40)  # IFF_UP, IFF_RUNNING
      fcntl.ioctl(silent, 0x8914, up)  # SIOCSIFFLAGS
      silent.bind(("127.0.0.1", 53))
      code = subprocess.run(sys.argv[2:]).returncode
      silent.setblocking(False)
      silent.recv(512)  # That nobody asked would be a BlockingIOError.
      sys.exit(code)
      """

    private static func run(
      _ command: [String], in directory: String
    ) async throws -> ProcessResult {
      try await runProcess(
        "/usr/bin/env",
        ["unshare", "-rmn", "python3", "-c", script, directory + "/resolv.conf"] + command,
        environment: ["HOME": directory, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
        // Well below the name server's own limit, well above that of the request.
        timeout: .seconds(15))
    }

    private static var isPossible: Bool {
      get async throws {
        try await withTemporaryDirectory { directory in
          let question = "import socket; s = socket.socket(2, 2); s.sendto(b'?', ('127.0.0.1', 53))"
          let result = try await run(["python3", "-c", question], in: directory)
          if result.exitCode != 0 {
            print("No network namespace here, so no silent name server: \(result.errorOutput)")
          }
          return result.exitCode == 0
        }
      }
    }

    @Test(.enabled("needs a network namespace") { try await isPossible })
    func `H3: the time limit holds with a name server that never answers`() async throws {
      try await withTemporaryDirectory { directory in
        let result = try await Self.run(
          [Postsctl.path, "fetch-posts", "--url", "http://silent.example", "--timeout", "1"],
          in: directory)

        #expect(result.ending == .exit(2), "\(result.errorOutput)")
      }
    }
  }
#endif
