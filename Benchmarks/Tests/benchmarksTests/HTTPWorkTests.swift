import HTTPWork
import Testing

@Suite struct HTTPWorkTests {
  @Test func `two numbers more make requests, none a stream`() throws {
    let requests = try #require(HTTPWork(arguments: ["program", "http://h/", "2", "30", "4"]))
    #expect(requests.url == "http://h/")
    #expect(requests.bodySize == 2)
    #expect(requests.requests == 30)
    #expect(requests.concurrency == 4)
    #expect(!requests.streams)
    let stream = try #require(HTTPWork(arguments: ["program", "http://h/", "2"]))
    #expect(stream.bodySize == 2)
    #expect(stream.requests == 1)
    #expect(stream.concurrency == 1)
    #expect(stream.streams)
  }

  @Test(arguments: [
    ["program"], ["program", "u"], ["program", "u", "two"], ["program", "u", "-1"],
    ["program", "u", "2", "3"], ["program", "u", "2", "0", "4"], ["program", "u", "2", "3", "0"],
    ["program", "u", "2", "3", "4", "5"],
  ])
  func `anything else is no work`(arguments: [String]) {
    #expect(HTTPWork(arguments: arguments) == nil)
  }

  @Test func `a wrong response is told`() throws {
    let work = try #require(HTTPWork(arguments: ["program", "u", "2", "3", "4"]))
    #expect(throws: Never.self) { try work.check(status: 200, bodySize: 2) }
    #expect(throws: WrongResponse.self) { try work.check(status: 404, bodySize: 2) }
    #expect(throws: WrongResponse.self) { try work.check(status: 200, bodySize: 3) }
  }
}
