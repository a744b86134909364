import Testing

@testable import CurlHTTP
@testable import Services

@Suite struct DataServiceErrorHTTPTests {
  private static let server = "https://h.example/api"

  @Test(
    arguments: [
      (
        .couldNotResolve(host: "h.example"),
        .unreachable(
          reason: "the host h.example was not found. Check its spelling, and the network.")
      ),
      (
        .couldNotConnect(host: "h.example"),
        .unreachable(
          reason: "no connection to h.example:443. Is a server running there, on that port?")
      ),
      (
        .tls(.handshake),
        .unreachable(
          reason: "no trusted connection to h.example:443: the handshake failed. Does the server "
            + "speak TLS on this port, and TLS 1.2 or newer?")
      ),
      (
        .tls(.selfSigned),
        .unreachable(
          reason: "no trusted connection to h.example:443: the server's certificate is "
            + "self-signed. If you trust it, name a file with it in SSL_CERT_FILE.",
          isTransient: false)
      ),
      (
        .tls(.expired),
        .unreachable(
          reason: "no trusted connection to h.example:443: the server's certificate has expired. "
            + "Check this machine's clock; if it is right, the server's owner must renew it.",
          isTransient: false)
      ),
      (
        .connectionLost,
        .unreachable(reason: "the connection to h.example:443 was lost. Try again later.")
      ),
      (
        .brokenResponse(.empty),
        .unreachable(
          reason: "h.example:443 closed the connection without an answer. Try again later.")
      ),
      (
        .timedOut(.connect, after: .seconds(10), bytesReceived: 0),
        .timedOut(reason: "no connection after 10.0 seconds")
      ),
      (
        .timedOut(.total, after: .milliseconds(1500), bytesReceived: 7),
        .timedOut(
          reason: "the answer was not complete after 1.5 seconds, when 7 bytes of it had come")
      ),
      (
        .bodyTooLarge(limit: 9),
        .badResponse(location: "The whole answer", reason: "it has more than 9 bytes, the limit")
      ),
      (
        .brokenResponse(.notHTTP),
        .badResponse(location: "The whole answer", reason: "it is not HTTP")
      ),
      (
        .invalidHeader(name: "X\u{1B}", reason: "it is odd"),
        .invalidRequest(reason: "the header X\u{FFFD} cannot be sent, because it is odd")
      ),
      (
        .clientShutDown,
        .internalFailure(reason: "the HTTP client was shut down before the request was done")
      ),
      (
        .internalFailure("libcurl refused an option"),
        .internalFailure(reason: "libcurl refused an option")
      ),
      (.cancelled, .cancelled),
    ] as [(HTTPClientError.Kind, DataServiceError)])
  func `D1: an error of the client is said in terms of the service`(
    kind: HTTPClientError.Kind, error: DataServiceError
  ) throws {
    let failure = HTTPClientError(kind, method: .get, url: Self.server)
    #expect(DataServiceError(failure, at: try HTTPURL(Self.server)) == error)
  }

  @Test(arguments: [
    HTTPClientError.Kind.connectionLost, .brokenResponse(.empty), .brokenResponse(.truncated),
    .timedOut(.total, after: .seconds(1), bytesReceived: 0), .bodyTooLarge(limit: 1),
    .clientShutDown, .internalFailure("x"), .cancelled,
  ])
  func `D1: a post that may have reached the server may be stored`(
    kind: HTTPClientError.Kind
  ) throws {
    for (method, reached) in [(HTTPMethod.post, true), (.post, false), (.get, true)] {
      let failure = HTTPClientError(
        kind, method: method, url: Self.server, mayHaveReachedServer: reached)
      let error = DataServiceError(failure, at: try HTTPURL(Self.server))

      let isOpen = method == .post && reached
      #expect(error.leavesCreationOpen == isOpen || error == .cancelled)
      // Whoever is to look first is not told to try again.
      #expect(!isOpen || !"\(error)".contains("ry again"))
    }
  }

  @Test(arguments: [
    ("http://h.example", "h.example:80"), ("http://h.example:8080/x?token=t0p", "h.example:8080"),
    ("https://ada:secret@[::1]/", "[::1]:443"),
  ])
  func `D1: the place is the host and the port, and libcurl's words stand beside it`(
    url: String, place: String
  ) throws {
    let failure = HTTPClientError(
      .couldNotConnect(host: "h"), method: .get, url: url, libcurlCode: 7,
      libcurlMessage: "Failed\u{1B}\nto connect")

    #expect(
      DataServiceError(failure, at: try HTTPURL(url))
        == .unreachable(
          reason: "no connection to \(place) (libcurl error 7: Failed\u{FFFD} to connect). Is a "
            + "server running there, on that port?"))
  }
}
