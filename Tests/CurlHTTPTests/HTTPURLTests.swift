import Testing

@testable import CurlHTTP

@Suite
struct HTTPURLTests {
  @Test(arguments: [
    ("http://example.com", "http://example.com/"),
    ("HTTPS://Example.COM:443/Api", "https://example.com/Api"),
    ("http://example.com:80", "http://example.com/"),
    ("http://example.com:443/", "http://example.com:443/"),
    ("https://example.com:8443/a?b=c#d", "https://example.com:8443/a?b=c"),
    ("http://127.0.0.1:", "http://127.0.0.1/"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ("http://[2001:DB8::1:0:0:1]", "http://[2001:db8::1:0:0:1]/"),
    ("http://[::ffff:127.0.0.1]/", "http://[::ffff:127.0.0.1]/"),
    ("http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3:4:5:6:7:8]/"),
    ("http://my_host.local./", "http://my_host.local./"),
    ("http://h?q", "http://h/?q"),
    ("http://h#f", "http://h/"),
    ("http://h/a/./b/../c", "http://h/a/c"),
    ("http://h/../../x/..", "http://h/"),
    ("http://h/a/b/..", "http://h/a/"),
    ("http://h/a//b", "http://h/a//b"),
    ("http://h/%2e%41?%20", "http://h/%2e%41?%20"),
    ("http://h/ü?ü", "http://h/%C3%BC?%C3%BC"),
    ("http://h/a:b@c/d", "http://h/a:b@c/d"),
    ("http://999.example/", "http://999.example/"),
    ("http://[::1.2.3.4]/", "http://[::1.2.3.4]/"),
    ("http://[1:2:3:4:5:6:1.2.3.4]/", "http://[1:2:3:4:5:6:1.2.3.4]/"),
    // In a Swift string a mark belongs to the character before it; on the wire it does not.
    ("http://h/p#\u{301}frag", "http://h/p"),
    ("http://h/p?\u{301}q", "http://h/p?%CC%81q"),
    ("http://h/a/..\u{301}/b", "http://h/a/..%CC%81/b"),
    ("http://good.example/\u{338}@evil.example/", "http://good.example/%CC%B8@evil.example/"),
    ("http://good.example?\u{338}@evil.example/", "http://good.example/?%CC%B8@evil.example/"),
    ("http://good.example#\u{338}@evil.example/", "http://good.example/"),
  ])
  func `H2: a URL is read as it is meant`(text: String, expected: String) throws {
    #expect(try HTTPURL(text).description == expected)
  }

  @Test(arguments: [
    ("", "it is empty"),
    ("example.com", "it does not begin with http:// or https://"),
    ("/posts", "it does not begin with http:// or https://"),
    ("http:/h", "it does not begin with http:// or https://"),
    ("://h", "it does not begin with http:// or https://"),
    ("ftp://h/", "its scheme is \"ftp\"; use http or https"),
    ("file:///etc/passwd", "its scheme is \"file\"; use http or https"),
    ("http://", "it has no host"),
    ("http:///path", "it has no host"),
    ("http://:80/", "it has no host"),
    ("http://user@/", "it has no host"),
    ("http://a b/", "it contains a space; write it as %20"),
    ("http://h/a\r\nX: y", "it contains a carriage return; write it as %0D"),
    ("http://h/\u{0}", "it contains a NUL byte; write it as %00"),
    ("http://h/{id}", "it contains \"{\"; write it as %7B"),
    ("http://h/100%", "a percent sign is not followed by two hexadecimal digits; write it as %25"),
    (
      "http://h/?a=%2g", "a percent sign is not followed by two hexadecimal digits; write it as %25"
    ),
    ("http://h:0/", "its port is not a number from 1 to 65535"),
    ("http://h:65536/", "its port is not a number from 1 to 65535"),
    ("http://h:8a/", "its port is not a number from 1 to 65535"),
    ("http://h:+8/", "its port is not a number from 1 to 65535"),
    ("http://h:8:9/", "its port is not a number from 1 to 65535"),
    ("http://[::1/", "its IPv6 address has no closing bracket"),
    ("http://[::1]x/", "something other than a port follows its IPv6 address"),
    ("http://[1:2:3]/", "what stands in brackets is not an IPv6 address"),
    ("http://[1::2::3]/", "what stands in brackets is not an IPv6 address"),
    ("http://[1:2:3:4:5:6:7:8:9]/", "what stands in brackets is not an IPv6 address"),
    ("http://[::12345]/", "what stands in brackets is not an IPv6 address"),
    ("http://[fe80::1%25eth0]/", "what stands in brackets is not an IPv6 address"),
    ("http://[1:2:3:4:5:6:7:]/", "what stands in brackets is not an IPv6 address"),
    ("http://[1.2.3.4::]/", "what stands in brackets is not an IPv6 address"),
    ("http://[1.2.3.4::1]/", "what stands in brackets is not an IPv6 address"),
    ("http://[1:2:3:4::5:6:7:8]/", "what stands in brackets is not an IPv6 address"),
    ("http://[::1.2.3.4:5]/", "what stands in brackets is not an IPv6 address"),
    ("http://[1.2.3.4]/", "what stands in brackets is not an IPv6 address"),
    ("http://[::01.2.3.4]/", "what stands in brackets is not an IPv6 address"),
    ("http:/\u{338}/h/", "it does not begin with http:// or https://"),
    (
      "http://u%3A\u{301}v:p@h/",
      "its user name contains a colon, which basic authentication cannot send"
    ),
    (
      "http://h/%\u{301}41",
      "a percent sign is not followed by two hexadecimal digits; write it as %25"
    ),
    ("http://h:8\u{301}/", "its port is not a number from 1 to 65535"),
    ("http://h\u{301}/", "its host is not ASCII; write an international name as xn--…"),
    ("http://bücher.example/", "its host is not ASCII; write an international name as xn--…"),
    ("http://a%2Fb/", "its host contains \"%\""),
    ("http://a..b/", "a part of its host between two dots is empty or too long"),
    ("http://.b/", "a part of its host between two dots is empty or too long"),
    (
      "http://127.1/",
      "its host looks like a number but is not four decimal numbers such as 127.0.0.1"
    ),
    (
      "http://2130706433/",
      "its host looks like a number but is not four decimal numbers such as 127.0.0.1"
    ),
    (
      "http://0x7f.1/",
      "its host looks like a number but is not four decimal numbers such as 127.0.0.1"
    ),
    (
      "http://a.0x7f/",
      "its host looks like a number but is not four decimal numbers such as 127.0.0.1"
    ),
    (
      "http://0177.0.0.1/",
      "its host looks like a number but is not four decimal numbers such as 127.0.0.1"
    ),
    (
      "http://u%zz@h/",
      "its user name or password is not percent-encoded text without control characters"
    ),
    (
      "http://u:p%0a@h/",
      "its user name or password is not percent-encoded text without control characters"
    ),
    (
      "http://u%3Av:p@h/",
      "its user name contains a colon, which basic authentication cannot send"
    ),
  ])
  func `H2: what is not surely a URL is refused with the reason`(text: String, reason: String) {
    let error = #expect(throws: HTTPClientError.self) { try HTTPURL(text) }
    #expect(error?.kind == .invalidURL(reason))
  }

  @Test(arguments: [
    ("http://h", "posts", "http://h/posts"),
    ("http://h/", "posts", "http://h/posts"),
    ("http://h/api/v1", "posts", "http://h/api/v1/posts"),
    ("http://h/api/v1/", "/posts", "http://h/api/v1/posts"),
    ("http://h/api?key=1", "posts", "http://h/api/posts?key=1"),
    ("http://h/api", "users/7/posts", "http://h/api/users/7/posts"),
    ("http://h/api", "posts/", "http://h/api/posts/"),
    ("http://h/api", "", "http://h/api"),
    ("http://h/api", "/", "http://h/api/"),
    ("http://h/api", "../x", "http://h/api/%2E%2E/x"),
    ("http://h/api", "a b?c#d%", "http://h/api/a%20b%3Fc%23d%25"),
    ("http://h/api", "ü", "http://h/api/%C3%BC"),
    ("http://h/api", "a/\u{338}b", "http://h/api/a/%CC%B8b"),
    ("http://h/api", "a:b@c;d=e,f", "http://h/api/a:b@c;d=e,f"),
  ])
  func `H2: appending keeps the base path`(base: String, path: String, expected: String) throws {
    // The query value is shown, as "key" is what a secret is called; compare what is kept.
    let url = try HTTPURL(base).appending(path: path)
    #expect(url.path + (url.query.map { "?" + $0 } ?? "") == String(expected.dropFirst(8)))
  }

  @Test func `H2: a segment is one segment, whatever it holds`() throws {
    let base = try HTTPURL("http://h/api")
    #expect(base.appending(segment: "a/../b").path == "/api/a%2F..%2Fb")
    #expect(base.appending(segment: ".").path == "/api/%2E")
    #expect(base.appending(segment: "").path == "/api/")
  }

  @Test func `H2: query items are encoded and keep their order`() throws {
    let url = try HTTPURL("http://h/?z=1")
      .appending(query: ["b": "2&c=3", "a": "x y+z", "b": "", "ü": "/?"])
    #expect(url.query == "z=1&b=2%26c%3D3&a=x%20y%2Bz&b=&%C3%BC=%2F%3F")
    let first = try HTTPURL("http://h").appending(query: "page", value: "2")
    #expect(first.query == "page=2")
    let empty = try HTTPURL("http://h/?").appending(query: "page", value: "2")
    #expect(empty.query == "page=2")
  }

  @Test(arguments: [
    "localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.255.0.9", "[::1]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::FFFF:7f01:2]",
  ])
  func `H9: this machine by any spelling is this machine`(host: String) throws {
    #expect(try HTTPURL("http://\(host)/").isLoopback)
  }

  @Test(arguments: [
    "localhost.example", "notlocalhost", "128.0.0.1", "[::2]", "[::]", "[1::1]",
    "[::ffff:128.0.0.1]", "[::fffe:127.0.0.1]", "[1::ffff:127.0.0.1]", "127.example",
  ])
  func `H9: another machine is not this one`(host: String) throws {
    #expect(try !HTTPURL("http://\(host)/").isLoopback)
  }

  @Test(arguments: [
    "token", "access_token", "apiKey", "session", "sessionid", "PHPSESSID", "JSESSIONID", "jwt",
    "id_jwt", "sid", "connect.sid", "SID", "otp", "X-OTP", "totp", "pin", "code", "user-pass",
  ])
  func `H11: a name that suggests a secret hides its value`(name: String) throws {
    let url = try HTTPURL("http://h").appending(query: name, value: "hunter2")
    #expect(url.description == "http://h/?\(name)=***")
  }

  @Test(arguments: ["page", "userId", "side", "spinner", "hotpink", "zipcode", "compass"])
  func `H11: an ordinary name hides nothing`(name: String) throws {
    let url = try HTTPURL("http://h").appending(query: name, value: "7")
    #expect(url.description == "http://h/?\(name)=7")
  }

  @Test func `H11: credentials and secrets appear in no description`() throws {
    let url = try HTTPURL("https://user:hunter2@example.com/a?api_key=abc&page=2&%74oken=def")
    let expected = "https://example.com/a?api_key=***&page=2&%74oken=***"
    #expect(url.description == expected)
    #expect(String(reflecting: url) == expected)
    let headers: HTTPHeaders = [
      "Authorization": "Bearer abc", "X-Api-Key": "abc", "Cookie": "id=def", "Accept": "text/plain",
    ]
    let request = HTTPRequest(.get, url, headers: headers)
    #expect("\(request)" == "GET " + expected)
    #expect("\(headers)".contains("Accept: text/plain"))
    var dumped = ""
    dump(request, to: &dumped)
    for text in [dumped, "\(headers)", String(reflecting: request), "\(headers.fields)"] {
      #expect(!text.contains("hunter2") && !text.contains("abc") && !text.contains("def"))
    }
  }

  @Test(arguments: [
    "http://user:hunter2@h:x/", "http://user:hunter 2@h/", "user:hunter2@h", "ftp://u:hunter2@h/",
    "http://h:x/?token=hunter2", "http://h:x/?token=\u{338}hunter2",
    "http://user:hunter2@\u{338}h/", "http://h:x/?\u{338}&session=hunter2",
    "http://h:x/?page=1&\u{338}connect.sid=hunter2",
  ])
  func `H11: the error about a URL does not repeat its secrets`(text: String) {
    let error = #expect(throws: HTTPClientError.self) { try HTTPURL(text) }
    #expect(error?.description.contains("hunter") == false)
  }

  @Test func `H2: URLs are equal when they ask the same of the same`() throws {
    #expect(try HTTPURL("http://H:80/a#x") == HTTPURL("http://h/a"))
    #expect(try HTTPURL("http://u@h/a") != HTTPURL("http://h/a"))
  }
}
