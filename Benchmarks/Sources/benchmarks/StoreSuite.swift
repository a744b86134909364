/// Dispatching: what an action costs by itself, and what links, reducers and observers add.
let storeSuite = Suite(
  name: "store",
  groups: [
    Group(
      Subject("baseline.dispatch", operations: 100_000, sample: baselineDispatch),
      // Measures the same again: its ratio says how far the others can be trusted.
      Subject(
        "noise.dispatch", against: "baseline.dispatch", operations: 100_000,
        sample: baselineDispatch),
      Subject(
        "baseline.dispatch.items1000", against: "baseline.dispatch", operations: 1_000,
        sample: baselineItems),
      Subject(
        "baseline.dispatch.reducers100", against: "baseline.dispatch", operations: 10_000,
        sample: baselineReducers)
    ),
    Group(
      Subject("baseline.dispatch.link", operations: 50_000, sample: baselineLink)
    ),
    Group(
      Subject("baseline.dispatch.observers1000", operations: 100) {
        try baselineObservers($0, select: \.count, deliveriesEach: $0 + 1)
      },
      Subject("baseline.dispatch.observers1000.skipped", operations: 100) {
        try baselineObservers($0, select: \.constant, deliveriesEach: 1)
      }
    ),
    Group(
      Subject("baseline.append.10", operations: 20_000) { try baselineAppend($0, count: 10) },
      Subject("baseline.append.100k", against: "baseline.append.10", operations: 500) {
        try baselineAppend($0, count: 100_000)
      }
    ),
    Group(
      Subject("baseline.chain", operations: 10_000, sample: baselineChain)
    ),
    Group(
      Subject("baseline.subscribe", operations: 1_000, sample: baselineSubscribe)
    ),
  ]
)
