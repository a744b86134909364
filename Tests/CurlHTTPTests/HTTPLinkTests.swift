import CurlHTTP
import Testing

@Suite
struct HTTPLinkTests {
  @Test func `H2: a link has a target, relations and a title`() throws {
    let headers: HTTPHeaders = [
      "Link": #"<https://h/posts?page=2>; rel="next"; title="The \"next\" page \\ 2""#
    ]
    let link = try #require(headers.links.first)
    #expect(link.target == "https://h/posts?page=2")
    #expect(link.relations == ["next"])
    #expect(link.title == #"The "next" page \ 2"#)
    #expect(headers.links.count == 1)
  }

  @Test func `H2: several links come in one field and in several, in order`() {
    var headers: HTTPHeaders = ["Link": "<a>; rel=prev, <b,c;d>; rel=\"next, or so\" ,, <e>"]
    headers.append("LINK", "<f>;rel=last")
    #expect(headers.links.map(\.target) == ["a", "b,c;d", "e", "f"])
    #expect(headers.links.map(\.relations) == [["prev"], ["next,", "or", "so"], [], ["last"]])
  }

  @Test(arguments: [
    (#"<a>; rel="Next  last""#, ["next", "last"]),
    (#"<a>; REL=next; rel=prev"#, ["next"]),
    (#"<a> ;rel = next ; x"#, ["next"]),
    (#"<a>; rel=http://h/relation"#, ["http://h/relation"]),
    (#"<a>;;rel=next;"#, ["next"]),
    (#"<a>; rel="""#, []), (#"<a>; rel="#, []), (#"<a>; rel"#, []), (#"<>; rel=self"#, ["self"]),
    ("\t<a>;\trel=next\t", ["next"]),
  ])
  func `H2: what servers write is read as it is meant`(value: String, relations: [String]) {
    #expect(HTTPHeaders(dictionaryLiteral: ("Link", value)).links.map(\.relations) == [relations])
  }

  @Test(arguments: [
    "", ",", "a", "a; rel=next", "<a", "<a>; rel=\"next", "<a>; rel=\"next\\", "rel=next; <a>",
    "\"<a>; rel=next",
  ])
  func `H2: what is no link is none`(value: String) {
    #expect(HTTPHeaders(dictionaryLiteral: ("Link", value)).links == [])
  }

  @Test func `H2: links before a fault count`() {
    let headers: HTTPHeaders = ["Link": "<a>; rel=next, <b>; rel=\"prev, <c>"]
    #expect(headers.links.map(\.target) == ["a"])
  }

  @Test func `H2: parameters are found by small letters, the first of a name counts`() throws {
    let headers: HTTPHeaders = [
      "Link": "<a>; TITLE=one; title=two; media=\"a, b\"; title*=UTF-8''x"
    ]
    let link = try #require(headers.links.first)
    #expect(link.parameters == ["title": "one", "media": "a, b", "title*": "UTF-8''x"])
  }

  @Test func `H2: a mark that combines with a quote hides nothing`() {
    let headers: HTTPHeaders = ["Link": "<a>; title=\"\u{301}x\"\u{301}; rel=next, <b>; rel=prev"]
    #expect(headers.links.map(\.title) == ["\u{301}x"])
    // What follows the closing quote is no parameter, so the value is malformed from there.
    #expect(headers.links.map(\.relations) == [[]])
  }

  @Test(arguments: [
    ("?page=2", "https://h:8443/api/posts?page=2"),
    ("/posts?page=2", "https://h:8443/posts?page=2"),
    ("https://other/x", "https://other/x"),
    ("", "https://h:8443/api/posts?page=1"),
  ])
  func `H2: the URL of a link is resolved against that of the response`(
    target: String, expected: String
  ) throws {
    var response = HTTPResponse(status: 200, headers: ["Link": "<\(target)>; rel=\"first NEXT\""])
    response.url = try HTTPURL("https://h:8443/api/posts?page=1")
    #expect(response.url(ofLink: "next")?.description == expected)
    #expect(response.url(ofLink: "Next")?.description == expected)
    #expect(response.url(ofLink: "last") == nil)
  }

  @Test func `H2: a link that cannot be requested, or speaks of something else, is none`() throws {
    let url = try HTTPURL("https://h/")
    for value in [
      "<ftp://h/>; rel=next", "<javascript:x>; rel=next", "<a b>; rel=next",
      "</a>; rel=next; anchor=\"/b\"",
    ] {
      let response = HTTPResponse(status: 200, headers: ["Link": value], url: url)
      #expect(response.url(ofLink: "next") == nil)
    }
    // Without a URL of its own, a response can name only whole ones.
    let lost = HTTPResponse(status: 200, headers: ["Link": "<a>; rel=next, <http://h/b>; rel=up"])
    #expect(lost.url(ofLink: "next") == nil)
    #expect(lost.url(ofLink: "up")?.description == "http://h/b")
  }

  @Test func `H11: a link prints without what may be a secret`() {
    let link = HTTPLink(
      target: "https://ada:hunter2@h/?token=hunter2&page=2", parameters: ["rel": "next"])
    var dumped = ""
    dump(link, to: &dumped)
    for text in ["\(link)", String(reflecting: link), dumped] {
      #expect(!text.contains("hunter2"))
      #expect(text.contains("page=2"))
    }
  }
}
