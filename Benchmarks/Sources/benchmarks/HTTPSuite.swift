/// HTTP: what the client costs above libcurl, and what Foundation's costs, on loopback.
let httpSuite = Suite(
  name: "http",
  groups: [2, 19_000].flatMap { bodySize in
    [1, 8, 64].map { requestGroup(.requests(bodySize, concurrency: $0)) }
  } + [streamGroup, countGroup])

private let runs = HTTPRuns()

/// How often each program runs under a load: enough for a median, and the suite takes two minutes.
private let rounds = 9

private func requestGroup(_ load: HTTPLoad) -> Group {
  let limits = load.concurrency == 1 ? Limits.oneAtATime : .many
  let name = "\(load.bodySize == 2 ? "2b" : "19k").\(load.concurrency)"
  let measures: [HTTPReport.Measure] = [.rate, .cpu, .memory]
  return Group(
    maximumRounds: rounds, isApart: true, needsServer: true,
    subjects: measures.flatMap { measure in
      let ours = "http.\(measure).\(name)"
      return [
        subject(measure, .c, load, name: name),
        subject(
          measure, .millrace, load, name: name, against: "http.c.\(measure).\(name)",
          ratioAtMost: limits.atMost(measure), ratioAtLeast: limits.atLeast(measure)),
        // Ours is the baseline: at most an eighth of our rate.
        subject(
          measure, .urlSession, load, name: name, against: ours,
          ratioAtMost: measure == .rate ? limits.urlSessionRate : nil),
      ]
    })
}

/// What is promised in proportion to libcurl with nothing above it.
private struct Limits {
  let rate: Double
  let cpu: Double
  let memory = 1.5
  /// What Foundation's rate may be in proportion to ours.
  let urlSessionRate: Double?

  /// Each request waits for two threads to hand it on, which many share.
  static let oneAtATime = Limits(rate: 0.6, cpu: 2.2, urlSessionRate: nil)
  static let many = Limits(rate: 0.8, cpu: 1.6, urlSessionRate: 1.0 / 8)

  func atMost(_ measure: HTTPReport.Measure) -> Double? {
    switch measure {
    case .cpu: cpu
    case .memory: memory
    case .rate, .time: nil
    }
  }

  func atLeast(_ measure: HTTPReport.Measure) -> Double? { measure == .rate ? rate : nil }
}

private func subject(
  _ measure: HTTPReport.Measure, _ program: HTTPProgram, _ load: HTTPLoad, name: String,
  against baseline: String? = nil, ratioAtMost: Double? = nil, ratioAtLeast: Double? = nil
) -> Subject {
  let requests = load.concurrency == 1 ? 1_000 : 4_000
  return Subject(
    "\(program.prefix).\(measure).\(name)", in: measure.unit, against: baseline,
    ratioAtMost: ratioAtMost, ratioAtLeast: ratioAtLeast,
    operations: program == .urlSession ? requests / 10 : requests
  ) { try runs.sample(measure, of: program, load, requests: $0) }
}

/// One body as it comes, an operation a MiB: the time of all, and the memory beside it.
private let streamGroup = Group(
  // The first round fills the server's cache of the file.
  maximumRounds: 3, needsServer: true,
  subjects: [
    stream(.time, .c, "http.c.stream.1g"),
    stream(.time, .millrace, "http.stream.1g", against: "http.c.stream.1g", ratioAtMost: 1.5),
    stream(.time, .urlSession, "http.urlsession.stream.1g", against: "http.stream.1g"),
    stream(.memory, .c, "http.c.stream.1g.memory"),
    stream(
      .memory, .millrace, "http.stream.1g.memory", against: "http.c.stream.1g.memory",
      atMost: 32 * 1024 * 1024, ratioAtMost: 1.5),
    stream(
      .memory, .urlSession, "http.urlsession.stream.1g.memory", against: "http.stream.1g.memory"),
  ])

private func stream(
  _ measure: HTTPReport.Measure, _ program: HTTPProgram, _ name: String,
  against baseline: String? = nil, atMost: Double? = nil, ratioAtMost: Double? = nil
) -> Subject {
  Subject(
    name, in: measure.unit, against: baseline, atMost: atMost, ratioAtMost: ratioAtMost,
    operations: 1_024
  ) { try runs.sample(measure, of: program, .stream($0 << 20), requests: 1) }
}

/// What the clock says of a request stands above; these counts repeat, and their limits keep them
/// from growing unnoticed.
private let countGroup = Group(
  needsServer: true,
  subjects: [
    count(.instructions, .c),
    count(.instructions, .millrace, against: "http.c.instructions.2b.8", ratioAtMost: 2.8),
    count(.allocations, .c),
    count(.allocations, .millrace, against: "http.c.allocations.2b.8", ratioAtMost: 3.5),
  ])

private func count(
  _ unit: Subject.Unit, _ program: HTTPProgram, against baseline: String? = nil,
  ratioAtMost: Double? = nil
) -> Subject {
  Subject(
    "\(program.prefix).\(unit).2b.8", in: unit, against: baseline, ratioAtMost: ratioAtMost,
    operations: 500
  ) { requests in
    let command = { try program.command(.requests(2, concurrency: 8), requests: $0) }
    return unit == .instructions
      ? try Valgrind.instructions(requests, of: command)
      : try Valgrind.allocations(requests, of: command)
  }
}

extension HTTPReport.Measure {
  fileprivate var unit: Subject.Unit {
    switch self {
    case .rate: .perSecond
    case .cpu, .time: .nanoseconds
    case .memory: .bytes
    }
  }
}
