import TestSupport
import Testing

@testable import CurlHTTP

/// What holds for every input, tried with many: random ones, and broken versions of good ones.
@Suite
struct ParserPropertyTests {
  @Test(arguments: 0..<4)
  func `H2: a URL that is accepted is written and read as itself`(seed: Int) {
    var source = RandomText(seed: seed, samples: RandomText.urls)
    for _ in 0..<scaled(20_000) {
      guard let url = try? HTTPURL(source.next()) else { continue }
      check(url)
    }
  }

  @Test(arguments: 0..<4)
  func `H6: what a reference resolves to is a URL without the stranger's credentials`(
    seed: Int
  ) throws {
    let base = try HTTPURL("http://ada:pw@h/a/b?c")
    var source = RandomText(seed: seed, samples: RandomText.references)
    for _ in 0..<scaled(20_000) {
      let reference = source.next()
      guard let url = try? base.resolving(reference) else { continue }
      check(url)
      #expect(url.credentials == (url.origin == base.origin ? base.credentials : nil))
      // An absolute URL resolves to itself, wherever it stands.
      let whole = try base.resolving(url.requestText)
      #expect(whole == url)
    }
  }

  @Test(arguments: 0..<4)
  func `H6: whatever a server sends, a redirect keeps the rules`(seed: Int) throws {
    var source = RandomText(seed: seed, samples: RandomText.references)
    for _ in 0..<scaled(20_000) {
      let method = HTTPMethod.allCases.randomElement(using: &source.random) ?? .get
      let begin = Bool.random(using: &source.random) ? "https" : "http"
      var chain = HTTPRedirectChain(
        HTTPRequest(
          method, try HTTPURL("\(begin)://ada:pw@h/a"), headers: ["X-Secret": "s3cret"], body: [1]),
        redirects: .upTo(3))
      var hasLeft = false
      for _ in 0..<5 {
        let before = chain.request
        let status = [200, 301, 302, 303, 307, 308].randomElement(using: &source.random) ?? 301
        let action = chain.receive(status: status, headers: ["Location": source.next()])
        guard action == .follow else { break }
        let after = chain.request
        #expect(!(before.url.scheme == .https && after.url.scheme == .http))
        #expect(after.method == before.method && after.body == before.body)
        hasLeft = hasLeft || after.url.origin != before.url.origin
        #expect(after.headers["X-Secret"] == (hasLeft ? nil : "s3cret"))
        #expect(after.url.hasCredentials == !hasLeft)
        if !method.isSafe { #expect(!hasLeft && status >= 307) }
      }
      #expect(chain.hops.count <= 3)
    }
  }

  @Test(arguments: 0..<4)
  func `H7: a Retry-After is no time, or not negative`(seed: Int) {
    var source = RandomText(
      seed: seed, samples: RandomText.dates + ["120", "-3", "1.5", "9999999"])
    for _ in 0..<scaled(20_000) {
      let now = Int.random(in: -4_000_000_000...4_000_000_000, using: &source.random)
      let delay = RetryAfter.delay(source.next(), now: now)
      #expect(delay ?? .zero >= .zero)
    }
    for _ in 0..<scaled(20_000) {
      let seconds = Int.random(in: .min ... .max, using: &source.random)
      #expect(RetryAfter.delay("\(seconds)", now: 0) == .seconds(max(0, seconds)))
    }
  }

  @Test(arguments: 0..<4)
  func `H7: a date is read as it was written, in every form, and lies in the calendar`(seed: Int) {
    var source = RandomText(seed: seed, samples: RandomText.dates)
    for _ in 0..<scaled(20_000) {
      let now = Int.random(in: 0...4_000_000_000, using: &source.random)
      guard let date = HTTPDate(source.next(), now: now) else { continue }
      #expect((-62_167_219_200...253_402_300_800).contains(date.secondsSince1970))
    }
    for _ in 0..<scaled(20_000) {
      // From 1800 to 2200.
      let second = Int.random(in: -5_364_662_400...7_258_118_399, using: &source.random)
      for text in DateText(second).forms {
        // The present is the moment itself, so a year of two digits is this one.
        #expect(HTTPDate(text, now: second)?.secondsSince1970 == second, "\(text)")
      }
    }
  }

  @Test(arguments: 0..<4)
  func `H2: links are read as they were written, whatever they hold`(seed: Int) {
    var source = RandomText(seed: seed, samples: RandomText.links)
    for _ in 0..<scaled(10_000) {
      let links = HTTPHeaders(dictionaryLiteral: ("Link", source.next())).links
      for link in links {
        #expect(!link.target.utf8.contains(UInt8(ascii: ">")))
        #expect(link.parameters.keys.allSatisfy { $0.utf8.allSatisfy(\.isTokenByte) })
        #expect(link.parameters[""] == nil)
      }
    }
    for _ in 0..<scaled(20_000) {
      let links = (0..<Int.random(in: 0...4, using: &source.random)).map { _ in
        HTTPLink(
          target: String(decoding: source.next().utf8.filter { $0 != 0x3E }, as: UTF8.self),
          parameters: ["rel": source.next(), "title": source.next()])
      }
      let value = links.map(LinkText.write).joined(separator: " , ")
      #expect(HTTPHeaders(dictionaryLiteral: ("Link", value)).links == links)
    }
  }

  @Test(arguments: 0..<4)
  func `H2: a header that passes has one line and one colon that counts`(seed: Int) throws {
    var source = RandomText(seed: seed, samples: ["X-Name", "Accept", "value", "a\r\nb: c", "x:y"])
    let url = try HTTPURL("http://h/")
    for _ in 0..<scaled(10_000) {
      let field = HTTPHeaders.Field(name: source.next(), value: source.next())
      let request = HTTPRequest(.get, url, headers: HTTPHeaders([field]))
      guard (try? request.validate(limits: HTTPLimits())) != nil else { continue }
      let line = "\(field.name): \(field.value)"
      #expect(!line.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D })
      // What is sent is read back as what was meant, less the space around it.
      var head = ResponseHead(status: 200)
      head.append([UInt8]("\(line)\r\n".utf8))
      let read = head.headers.fields
      #expect(read.map(\.name) == [field.name])
      let value = String(decoding: field.value.utf8.withoutSpaceAround, as: UTF8.self)
      #expect(read.map(\.value) == [value])
    }
  }

  @Test(arguments: 0..<4)
  func `H1: header lines from anywhere give values without space around them`(
    seed: Int
  ) {
    var source = RandomText(
      seed: seed,
      samples: ["X-A: b\r\n", " folded\r\n", "Content-Length: 1\r\n", "HTTP/1.1 200 OK"])
    for _ in 0..<scaled(10_000) {
      var head = ResponseHead(status: 200)
      for _ in 0..<3 { head.append(source.nextBytes()) }
      for field in head.headers.fields {
        #expect(field.value.utf8.withoutSpaceAround.elementsEqual(field.value.utf8))
      }
      _ = ResponseHead.status(of: source.nextBytes())
      _ = head.headers.links
      _ = head.headers.retryAfter { 0 }
    }
  }

  private func check(_ url: HTTPURL) {
    #expect(url.path.utf8.first == UInt8(ascii: "/"))
    #expect(!url.requestText.utf8.contains { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "#") })
    #expect(!url.host.isEmpty && url.host == url.host.lowercased())
    let again = try? HTTPURL(url.requestText)
    #expect(again == url.authenticated(as: nil), "\(url.requestText)")
  }
}
