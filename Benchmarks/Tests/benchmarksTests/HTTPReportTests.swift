import Testing

@testable import benchmarks

@Suite struct HTTPReportTests {
  @Test func `a line of three numbers is a report`() throws {
    let report = try #require(HTTPReport(line: "2000000000 500000000 1048576\n"))
    #expect(report.value(of: .rate, requests: 4_000) == 2_000)
    #expect(report.value(of: .cpu, requests: 4_000) == 125_000)
    #expect(report.value(of: .memory, requests: 4_000) == 1_048_576)
    #expect(report.value(of: .time, requests: 4_000) == 2_000_000_000)
  }

  @Test(arguments: ["", "1 2", "1 2 3 4", "1 2 three", "0 2 3", "1 0 3", "1 2 0", "-1 2 3"])
  func `anything else is none`(line: String) {
    #expect(HTTPReport(line: line) == nil)
  }
}
