import Foundation
import TestSupport
import Testing

/// What a server, or the environment, must not be able to do to the process.
@Suite(.timeLimit(.minutes(5)))
struct `postsctl and hostile surroundings` {
  // libcurl takes each of these for a response and delivers its body.
  @Test(arguments: [
    "HTTP%2F1.1%20200%09OK", "HTTP%2F1.1%20200OK", "HTTP%2F1.1%20%09200%20OK",
    "http%2F1.1%20200%20OK", "HTTP%2F1.1%20200,", "HTTP%2F1.1%20101%20Switching",
  ])
  func `H5: no status line ends the process`(line: String) async throws {
    try await PythonServer.run("fault_server") { server in
      try await Postsctl.run { postsctl in
        let result = try await postsctl(
          "fetch-posts", "--url", "\(server.baseURL)/status-line/\(line)")

        // "body" is not JSON, whatever the status line is taken for.
        #expect(result.ending == .exit(65), "\(result.errorOutput.prefix(200))")
      }
    }
  }

  @Test func `P4: a trailer that is no field is the server's fault, not a server out of reach`()
    async throws
  {
    try await PythonServer.run("fault_server") { server in
      try await Postsctl.run { postsctl in
        let result = try await postsctl(
          "fetch-posts", "--url", server.baseURL + "/bad-trailer")

        #expect(result.ending == .exit(65))
        #expect(!result.errorOutput.contains("defect of the HTTP client"))
      }
    }
  }

  @Test(arguments: ["https://h.example/a b?token=S3CRET", "htps://h.example/?token=S3CRET"])
  func `P9: a secret in a URL that cannot be used is shown nowhere`(url: String) async throws {
    try await Postsctl.run(variables: ["POSTSCTL_URL": url]) { postsctl in
      let result = try await postsctl("fetch-posts")

      #expect(result.ending == .exit(78))
      #expect(!result.errorOutput.contains("S3CRET"))
    }
  }

  @Test func `H11: the password of a proxy is shown nowhere`() async throws {
    let proxy = "socks9://user:S3CRET@127.0.0.1:1"
    try await Postsctl.run(variables: ["http_proxy": proxy]) { postsctl in
      let result = try await postsctl("fetch-posts", "--url", "http://h.invalid/")

      #expect(result.ending == .exit(69))
      #expect(!result.errorOutput.contains("S3CRET"))
    }
  }

  @Test func `H3: --timeout allows as much time as it says, also for connecting`() async throws {
    try await PythonServer.run("fault_server", ["--never-accept"]) { server in
      try await Postsctl.run { postsctl in
        let result = try await postsctl("fetch-posts", "--url", server.baseURL, "--timeout", "12")

        #expect(result.ending == .exit(2))
        #expect(result.errorOutput.contains("12.0 seconds"))
      }
    }
  }

  @Test func `P10: after a POST that was answered with 303, the post may be stored`() async throws {
    try await PythonServer.run("fault_server") { server in
      try await Postsctl.run { postsctl in
        let result = try await postsctl(
          "create-post", "--title", "T", "--body", "B", "--url", server.baseURL + "/see-other")

        #expect(result.ending == .exit(6))
        #expect(result.errorOutput.contains("may be stored"))
      }
    }
  }

  #if os(Linux)
    /// Puts a folder in the place of the system's authorities, for one process only.
    private static let withAuthorities = """
      mount --bind "$1" /etc/ssl/certs || exit 99
      shift
      exec "$@"
      """

    private static var canHideAuthorities: Bool {
      get async throws {
        guard FileManager.default.fileExists(atPath: "/etc/ssl/certs") else { return false }
        return try await runProcess(
          "/usr/bin/env", ["unshare", "-rm", "mount", "--bind", "/tmp", "/etc/ssl/certs"]
        ).exitCode == 0
      }
    }

    @Test(.enabled("needs a mount namespace") { try await canHideAuthorities })
    func `H8: a CA file stands in place of the system's authorities`() async throws {
      try await withTemporaryDirectory { directory in
        // Given a server that only the system's authorities vouch for.
        let made = try await runProcess(
          "/bin/bash",
          [
            "-ec",
            """
            cd "$1"
            mkdir certs
            kind='ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
            for ca in system mine; do
              openssl req -x509 -newkey $kind -keyout $ca.key -out $ca.pem -days 2 -subj /CN=$ca
            done
            openssl req -newkey $kind -keyout s.key -out s.csr -subj /CN=server
            echo subjectAltName=IP:127.0.0.1 > ext
            openssl x509 -req -in s.csr -CA system.pem -CAkey system.key -CAcreateserial -days 2 \
              -extfile ext -out s.pem
            cp system.pem certs/$(openssl x509 -hash -noout -in system.pem).0
            """, "bash", directory,
          ])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        try await PythonServer.run(
          "fault_server", ["--tls", directory + "/s.pem", directory + "/s.key"]
        ) { server in
          // When another authority is named.
          let url = "https://127.0.0.1:\(server.port)/ok"
          let result = try await runProcess(
            "/usr/bin/env",
            [
              "unshare", "-rm", "/bin/bash", "-c", Self.withAuthorities, "bash",
              directory + "/certs", Postsctl.path, "fetch-posts", "--url", url,
            ],
            environment: [
              "HOME": directory, "PATH": "/usr/bin:/bin", "SSL_CERT_FILE": directory + "/mine.pem",
            ])
          // Then the server is not trusted; 65 is an answer that was read.
          #expect(result.ending == .exit(69), "\(result.errorOutput)")
        }
      }
    }
  #endif
}
