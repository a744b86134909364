import Testing

@testable import CurlHTTP

@Suite
struct HTTPURLResolvingTests {
  /// RFC 3986 section 5.4, as far as the results are http URLs.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"),
    // Beyond the RFC's own.
    ("?", "http://a/b/c/d;p?"), ("//h:8080/x", "http://h:8080/x"), ("HTTPS://H", "https://h/"),
    ("https://h/x?y#z", "https://h/x?y"), ("/a:b", "http://a/a:b"), ("./a:b", "http://a/b/c/a:b"),
    ("1a:b", "http://a/b/c/1a:b"), ("ü", "http://a/b/c/%C3%BC"),
    ("?u=http://x", "http://a/b/c/d;p?u=http://x"),
    ("//[::1]:8/x", "http://[::1]:8/x"), ("/\u{338}x", "http://a/%CC%B8x"),
  ])
  func `H6: a reference is resolved as RFC 3986 says`(reference: String, expected: String) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).description == expected)
  }

  @Test(arguments: [
    "http:g", "http:///x", "https:", "//", "///x", "ftp://h/", "javascript:alert(1)", "mailto:a@b",
    "a b", "/a\r\nb", "//h:99999/", "//127.1/", "\\\\h\\x", "http:/h", "a:b", "http://user@/",
  ])
  func `H6: what cannot be requested is an error`(reference: String) throws {
    let base = try HTTPURL("http://a/b")
    let error = #expect(throws: HTTPClientError.self) { try base.resolving(reference) }
    guard case .invalidURL = error?.kind else {
      Issue.record("The kind is \(String(describing: error?.kind)).")
      return
    }
  }

  @Test(arguments: [
    ("/x", true), ("?x", true), ("", true), ("http://h/x", true), ("http://H:80", true),
    ("//h", true), ("http://eve:evil@h/", true),
    ("https://h/", false), ("http://h:81/", false), ("http://g/", false), ("//g", false),
    ("http://h./", false),
  ])
  func `H6: credentials stay with their origin, and only those of the caller`(
    reference: String, isKept: Bool
  ) throws {
    let base = try HTTPURL("http://ada:secret@h/a")
    let target = try base.resolving(reference)
    #expect(target.credentials == (isKept ? .init(user: "ada", password: "secret") : nil))
    let stranger = try HTTPURL("http://h/a").resolving("//eve:evil@h/")
    #expect(stranger.credentials == nil)
  }
}
