import CurlHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
  @Test func `H8: a certificate of the authority in the CA file is trusted`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1,DNS:localhost")
      try await withTLS(pair, authority: certificates.authority) { test in
        let get = try await test.send(.get, "ok")
        #expect(get.text == "ok")
        let post = try await test.send(.post, "echo", body: [0x61]).echoed()
        #expect(post.body == "a")
      }
    }
  }

  @Test func `H8: without the CA file the same server is not trusted`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await withTLS(pair, authority: nil) { test in
        let error = await test.failure(of: .get, "ok")
        #expect(error?.kind == .tls(.unknownAuthority))
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.isTransient == false)
      }
    }
  }

  @Test func `H8: an expired certificate is named as such`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("old", hosts: "IP:127.0.0.1", days: -1)
      try await withTLS(pair, authority: certificates.authority) { test in
        let error = await test.failure(of: .get, "ok")
        #expect(error?.kind == .tls(.expired))
      }
    }
  }

  @Test(arguments: ["DNS:other.example", "IP:127.0.0.2"])
  func `H8: a certificate for another host is named as such`(hosts: String) async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("other", hosts: hosts)
      try await withTLS(pair, authority: certificates.authority) { test in
        let error = await test.failure(of: .get, "ok")
        #expect(error?.kind == .tls(.wrongHost))
      }
    }
  }

  @Test func `H8: a self-signed certificate is named as such, and can be trusted by hand`()
    async throws
  {
    try await withCertificates { certificates in
      let pair = try await certificates.selfSigned()
      try await withTLS(pair, authority: certificates.authority) { test in
        let error = await test.failure(of: .get, "ok")
        #expect(error?.kind == .tls(.selfSigned))
      }
      try await withTLS(pair, authority: pair.certificate) { test in
        let response = try await test.send(.get, "ok")
        #expect(response.text == "ok")
      }
    }
  }

  @Test func `H8: a CA file that is not there is named as such`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await withTLS(pair, authority: certificates.directory + "/missing.pem") { test in
        let error = await test.failure(of: .get, "ok")
        #expect(error?.kind == .tls(.authorityFileUnusable))
      }
    }
  }

  @Test(arguments: ["1.0", "1.1"])
  func `H8: nothing older than TLS 1.2 is spoken`(version: String) async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await withTLS(pair, authority: certificates.authority, maximum: version) { test in
        let error = await test.failure(of: .get, "ok")
        #expect(error?.kind == .tls(.handshake))
      }
    }
  }

  @Test func `H8: TLS 1.2 is spoken`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await withTLS(pair, authority: certificates.authority, maximum: "1.2") { test in
        let response = try await test.send(.get, "ok")
        #expect(response.text == "ok")
      }
    }
  }

  @Test func `H8: a client may want TLS 1.3`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      let strict = HTTPClient(
        configuration: .patient(
          certificateAuthorityFile: certificates.authority, minimumTLSVersion: .tls1_3))
      try await withTLS(pair, authority: certificates.authority, maximum: "1.2") { test in
        let request = HTTPRequest(.get, test.base.appending(path: "ok"))
        let error = await #expect(throws: HTTPClientError.self) { try await strict.send(request) }
        #expect(error?.kind == .tls(.handshake))
      }
      try await withTLS(pair, authority: certificates.authority) { test in
        let request = HTTPRequest(.get, test.base.appending(path: "ok"))
        let response = try await strict.send(request)
        #expect(response.text == "ok")
      }
      await strict.shutdown()
    }
  }

  @Test func `H8: https to a server without TLS is a failed handshake`() async throws {
    try await withServer(base: { "https://127.0.0.1:\($0.port)" }) { test in
      let error = await test.failure(of: .get, "ok")
      #expect(error?.kind == .tls(.handshake))
    }
  }

  @Test func `H5: a body cut short over TLS is an error`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await withTLS(pair, authority: certificates.authority) { test in
        let error = await test.failure(of: .get, "cut")
        #expect(error?.kind == .brokenResponse(.truncated))
      }
    }
  }

  @Test func `H10: cancelling ends a transfer over TLS`() async throws {
    try await withCertificates { certificates in
      let pair = try await certificates.signed("good", hosts: "IP:127.0.0.1")
      try await withTLS(pair, authority: certificates.authority) { test in
        let task = Task { await test.failure(of: .get, "slow") }
        let log = try await test.log(of: "/slow", count: 1)
        #expect(log.count == 1)
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
      }
    }
  }

  private func withCertificates(_ body: (Certificates) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      try await body(try await Certificates(in: directory))
    }
  }

  private func withTLS(
    _ pair: Certificates.Pair, authority: String?, maximum: String? = nil,
    _ body: (ServedTest) async throws -> Void
  ) async throws {
    try await withServer(
      pair.arguments + (maximum.map { ["--tls-max", $0] } ?? []),
      configuration: .patient(certificateAuthorityFile: authority),
      base: { "https://127.0.0.1:\($0.port)" }, body)
  }
}
