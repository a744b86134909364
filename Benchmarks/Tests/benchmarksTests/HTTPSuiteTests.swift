import Testing

@testable import benchmarks

/// What is promised for HTTP, figure by figure.
@Suite struct HTTPSuiteTests {
  private let subjects = httpSuite.groups.flatMap(\.subjects)

  private func subject(_ name: String) throws -> Subject {
    try #require(subjects.first { $0.name == name }, "There is no figure \(name).")
  }

  @Test(arguments: ["2b", "19k"], [8, 64])
  func `many at once come near libcurl and leave URLSession behind`(
    body: String, concurrency: Int
  ) throws {
    let rate = try subject("http.rate.\(body).\(concurrency)")
    #expect(rate.ratioFloor == 0.8)
    #expect(rate.baseline == "http.c.rate.\(body).\(concurrency)")
    let cpu = try subject("http.cpu.\(body).\(concurrency)")
    #expect(cpu.ratioLimit == 1.6)
    #expect(cpu.baseline == "http.c.cpu.\(body).\(concurrency)")
    let foundation = try subject("http.urlsession.rate.\(body).\(concurrency)")
    #expect(foundation.ratioLimit == 0.125)
    #expect(foundation.baseline == rate.name)
  }

  @Test(arguments: ["2b", "19k"])
  func `one at a time may take what two threads do`(body: String) throws {
    #expect(try subject("http.rate.\(body).1").ratioFloor == 0.6)
    #expect(try subject("http.cpu.\(body).1").ratioLimit == 2.2)
    #expect(try subject("http.urlsession.rate.\(body).1").ratioLimit == nil)
  }

  @Test(arguments: ["2b", "19k"], [1, 8, 64])
  func `memory stays near libcurl's`(body: String, concurrency: Int) throws {
    let memory = try subject("http.memory.\(body).\(concurrency)")
    #expect(memory.ratioLimit == 1.5)
    #expect(memory.baseline == "http.c.memory.\(body).\(concurrency)")
  }

  @Test func `a large body streams at libcurl's pace in 32 MiB`() throws {
    let time = try subject("http.stream.1g")
    #expect(time.ratioLimit == 1.5)
    #expect(time.baseline == "http.c.stream.1g")
    #expect(time.operations == 1_024)
    let memory = try subject("http.stream.1g.memory")
    #expect(memory.valueLimit == 33_554_432)
    #expect(memory.ratioLimit == 1.5)
    #expect(memory.baseline == "http.c.stream.1g.memory")
  }

  @Test func `names are unique, and a baseline stands in the same group`() {
    #expect(Set(subjects.map(\.name)).count == subjects.count)
    for group in httpSuite.groups {
      let names = Set(group.subjects.map(\.name))
      for baseline in group.subjects.compactMap(\.baseline) {
        #expect(names.contains(baseline), "\(baseline) is measured elsewhere")
      }
      #expect(group.needsServer)
    }
  }
}
