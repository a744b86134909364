import Testing

@testable import benchmarks

@Suite struct HTTPRunsTests {
  private let runs = HTTPRuns()
  private let load = HTTPLoad.requests(2, concurrency: 8)

  @Test func `one run tells each measure once`() throws {
    // Given programs whose first run takes a nanosecond, the second two, and so on
    let begun = Tally()
    func time(_ measure: HTTPReport.Measure, of program: HTTPProgram = .c) throws -> Double {
      try runs.sample(measure, of: program, load, requests: 1) { _, _, _ in
        let number = begun.add()
        return try #require(HTTPReport(line: "\(number) \(number) \(number)"))
      }
    }

    // When a round asks for three measures, they are of one run
    #expect(try time(.time) == 1)
    #expect(try time(.cpu) == 1)
    #expect(try time(.memory) == 1)

    // And the next round has a run of its own, as has another program
    #expect(try time(.time) == 2)
    #expect(try time(.time, of: .millrace) == 3)
    #expect(try time(.cpu) == 2)
    #expect(try time(.cpu) == 4)
    #expect(try time(.cpu, of: .millrace) == 3)
  }

  @Test func `runs of another load or length are others`() throws {
    let begun = Tally()
    func run(_ load: HTTPLoad, _ requests: Int, _ measure: HTTPReport.Measure) throws {
      _ = try runs.sample(measure, of: .c, load, requests: requests) { _, _, _ in
        begun.add()
        return try #require(HTTPReport(line: "1 1 1"))
      }
    }
    try run(load, 1, .time)
    try run(load, 2, .cpu)
    try run(.requests(2, concurrency: 1), 1, .cpu)
    try run(.requests(19_000, concurrency: 8), 1, .cpu)
    try run(.stream(2), 1, .cpu)
    #expect(begun.count == 5)
  }
}
