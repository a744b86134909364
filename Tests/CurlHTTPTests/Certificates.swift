import TestSupport

/// A private authority and the certificates it signed, made by the `openssl` tool in a directory.
struct Certificates {
  /// A certificate and its key, as a server needs them.
  struct Pair {
    var certificate: String
    var key: String

    var arguments: [String] { ["--tls", certificate, key] }
  }

  struct ToolError: Error, CustomStringConvertible {
    let description: String
  }

  let directory: String

  /// The certificate of the authority.
  var authority: String { directory + "/ca.pem" }

  init(in directory: String) async throws {
    self.directory = directory
    try await openssl(newSelfSigned("ca", name: "Millrace Test CA"))
  }

  /// A certificate signed by the authority, valid for some days from now; none if negative.
  func signed(_ name: String, hosts: String, days: Int = 2) async throws -> Pair {
    try await openssl(
      ["req", "-newkey"] + Certificates.keyKind
        + ["-keyout", path(name, "key"), "-out", path(name, "csr"), "-subj", "/CN=\(name)"])
    let extensions = path(name, "ext")
    _ = try await runProcess("/bin/sh", ["-c", "echo subjectAltName=\(hosts) > \(extensions)"])
    try await openssl([
      "x509", "-req", "-in", path(name, "csr"), "-CA", authority, "-CAkey", path("ca", "key"),
      "-CAcreateserial", "-days", "\(days)", "-extfile", extensions, "-out", path(name, "pem"),
    ])
    return Pair(certificate: path(name, "pem"), key: path(name, "key"))
  }

  /// A certificate that vouches for itself, for 127.0.0.1.
  func selfSigned() async throws -> Pair {
    try await openssl(
      newSelfSigned("self", name: "self") + ["-addext", "subjectAltName=IP:127.0.0.1"])
    return Pair(certificate: path("self", "pem"), key: path("self", "key"))
  }

  private static let keyKind = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  private func newSelfSigned(_ file: String, name: String) -> [String] {
    ["req", "-x509", "-newkey"] + Certificates.keyKind
      + [
        "-keyout", path(file, "key"), "-out", path(file, "pem"), "-days", "2", "-subj",
        "/CN=\(name)",
      ]
  }

  private func path(_ name: String, _ kind: String) -> String { "\(directory)/\(name).\(kind)" }

  private func openssl(_ arguments: [String]) async throws {
    let result = try await runProcess("/usr/bin/env", ["openssl"] + arguments)
    guard result.exitCode == 0 else {
      throw ToolError(description: "openssl \(arguments) failed: \(result.errorOutput)")
    }
  }
}
