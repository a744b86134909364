import Foundation

/// An nginx of our own that serves bodies of zeros on loopback, for as long as this program runs.
///
/// A shell keeps it. Its standard input is a pipe whose other end closes when this program ends,
/// however that comes about: then it stops nginx and removes the folder.
struct HTTPServer: Sendable {
  /// What could not be measured here and how to change that; nil if nginx is there.
  static let missing: String? =
    executable == nil
    ? "HTTP is not measured: there is no nginx. On Debian: apt-get install nginx-light. Its limits "
      + "are not judged." : nil

  /// The one server, started by the first who asks.
  static let shared = Swift.Result { try HTTPServer() }

  private let port: UInt16
  private let folder: URL
  private let lifeline: FileHandle

  /// Starts a server; when this returns it accepts connections.
  private init() throws {
    guard let executable = Self.executable else {
      throw StartFailure(description: Self.missing ?? "there is no nginx")
    }
    var failure = ""
    for _ in 0..<5 {
      // Below those that systems give away by themselves; nginx refuses one that is in use.
      let port = UInt16.random(in: 20_000..<32_000)
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("millrace-http-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("bodies"), withIntermediateDirectories: true)
      try Self.configuration(port: port).write(
        to: folder.appendingPathComponent("nginx.conf"), atomically: false, encoding: .utf8)

      let keeper = Process()
      let (input, output, errors) = (Pipe(), Pipe(), Pipe())
      keeper.executableURL = URL(fileURLWithPath: "/bin/sh")
      keeper.arguments = ["-c", Self.script, executable, folder.path]
      keeper.standardInput = input
      keeper.standardOutput = output
      keeper.standardError = errors
      try keeper.run()
      if String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n" {
        self.port = port
        self.folder = folder
        lifeline = input.fileHandleForWriting
        return
      }
      failure = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    throw StartFailure(description: "nginx did not start:\n\(failure)")
  }

  /// Returns the URL of a body of so many bytes; the disk holds none of them.
  func url(bodySize: Int) throws -> String {
    let file = folder.appendingPathComponent("bodies/\(bodySize)")
    if !FileManager.default.fileExists(atPath: file.path) {
      try Data().write(to: file)
      try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(bodySize))
    }
    return "http://127.0.0.1:\(port)/\(bodySize)"
  }

  /// Runs with the path of nginx as its name and the folder as its argument.
  ///
  /// nginx writes its identity when its port is open, so whoever reads "ready" may connect. An
  /// interrupt from the terminal reaches the shell as well, which has still work to do then. Signals
  /// may be blocked here, as they are on the thread that starts the shell: so nginx is ended by the
  /// one that cannot be, and nothing waits for it.
  private static let script = """
    trap '' INT TERM HUP
    "$0" -e stderr -p "$1" -c nginx.conf >&2 &
    until [ -s "$1/nginx.pid" ]; do
      kill -0 $! 2>&- || { rm -rf "$1"; exit 1; }
      sleep 0.01
    done
    echo ready
    exec >&- 2>&-
    read -r ignored
    kill -KILL $!
    rm -rf "$1"
    """

  /// One process without a master, which would change its user where root runs it.
  private static func configuration(port: UInt16) -> String {
    """
    daemon off;
    master_process off;
    pid nginx.pid;
    error_log stderr error;
    events { worker_connections 1024; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_timeout 1h;
      keepalive_requests 1000000000;
      open_file_cache max=16 inactive=1h;
      open_file_cache_valid 1h;
      client_body_temp_path temporary;
      proxy_temp_path temporary;
      fastcgi_temp_path temporary;
      uwsgi_temp_path temporary;
      scgi_temp_path temporary;
      server {
        listen 127.0.0.1:\(port);
        root bodies;
      }
    }

    """
  }

  /// Debian has it where only root's PATH looks.
  private static let executable: String? = ExecutableFile.find("nginx", also: ["/usr/sbin"])

  private struct StartFailure: Error, CustomStringConvertible {
    let description: String
  }
}
