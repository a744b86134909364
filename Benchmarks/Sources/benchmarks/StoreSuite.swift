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
        sample: baselineReducers),
      Subject(
        "store.dispatch", against: "baseline.dispatch", atMost: 80, ratioAtMost: 1.0 / 12,
        operations: 500_000, sample: storeDispatch),
      Subject(
        "store.dispatch.items1000", against: "store.dispatch", ratioAtMost: 1.2,
        operations: 500_000, sample: storeItems),
      Subject(
        "store.dispatch.reducers100", against: "store.dispatch", ratioAtMost: 1.2,
        operations: 500_000, sample: storeReducers),
      Subject(
        "store.contended", against: "store.dispatch", ratioAtMost: 4, operations: 200_000,
        sample: storeContended)
    ),
    Group(
      Subject("baseline.dispatch.link", operations: 50_000, sample: baselineLink),
      Subject(
        "store.dispatch.link", against: "baseline.dispatch.link", atMost: 60,
        operations: 100_000, sample: storeLink)
    ),
    Group(
      Subject(
        "baseline.dispatch.observers1000", operations: 100, sample: baselineObservers),
      Subject(
        "store.dispatch.observers1000", against: "baseline.dispatch.observers1000",
        atMost: 35_000, operations: 1_000, sample: storeObservers),
      Subject(
        "baseline.dispatch.observers1000.skipped", operations: 100,
        sample: baselineSkippedObservers),
      Subject(
        "store.dispatch.observers1000.skipped",
        against: "baseline.dispatch.observers1000.skipped", atMost: 15_000, operations: 1_000,
        sample: storeSkippedObservers)
    ),
    Group(
      Subject("baseline.append.10", operations: 20_000) { try baselineAppend($0, count: 10) },
      Subject("baseline.append.100k", against: "baseline.append.10", operations: 500) {
        try baselineAppend($0, count: 100_000)
      },
      Subject("store.append.10", against: "baseline.append.10", operations: 100_000) {
        try storeAppend($0, count: 10)
      },
      Subject(
        "store.append.100k", against: "store.append.10", ratioAtMost: 2, operations: 100_000
      ) {
        try storeAppend($0, count: 100_000)
      },
      Subject("store.append.observed.10", operations: 100_000) {
        try storeAppendObserved($0, count: 10)
      },
      Subject(
        "store.append.observed.100k", against: "store.append.observed.10", ratioAtMost: 2,
        operations: 100_000
      ) {
        try storeAppendObserved($0, count: 100_000)
      }
    ),
    Group(
      Subject("baseline.chain", operations: 10_000, sample: baselineChain),
      Subject(
        "store.chain", against: "baseline.chain", atMost: 250, operations: 1_000_000,
        sample: storeChain)
    ),
    Group(
      Subject("baseline.subscribe", operations: 1_000, sample: baselineSubscribe),
      Subject(
        "store.subscribe", against: "baseline.subscribe", atMost: 300, operations: 1_000,
        sample: storeSubscribe)
    ),
    Group(
      maximumRounds: 3,
      Subject(
        "baseline.subscribe.bytes", in: .bytes, operations: 10_000, sample: baselineSubscribeBytes),
      Subject(
        "store.subscribe.bytes", in: .bytes, against: "baseline.subscribe.bytes",
        operations: 10_000, sample: storeSubscribeBytes)
    ),
    // What the clock says of these stands above; these are the numbers that are judged.
    Group(
      Subject(
        "store.dispatch.instructions", in: .instructions, atMost: 1050, operations: 10_000
      ) { try Valgrind.instructions(.dispatch, $0) },
      Subject(
        "store.dispatch.link.instructions", in: .instructions, atMost: 375, operations: 10_000
      ) {
        let with = try Valgrind.instructions(.tenLinks, $0)
        return (with - (try Valgrind.instructions(.dispatch, $0))) / 10
      },
      Subject(
        "store.dispatch.observers1000.instructions", in: .instructions, atMost: 420_000,
        operations: 50
      ) { try Valgrind.instructions(.observers, $0) },
      Subject(
        "store.dispatch.observers1000.skipped.instructions", in: .instructions, atMost: 195_000,
        operations: 50
      ) { try Valgrind.instructions(.skippedObservers, $0) },
      Subject("store.chain.instructions", in: .instructions, atMost: 2600, operations: 10_000) {
        try Valgrind.instructions(.chain, $0)
      },
      Subject("store.subscribe.instructions", in: .instructions, atMost: 2200, operations: 1_000) {
        try Valgrind.instructions(.subscribe, $0)
      },
      Subject("store.dispatch.allocations", in: .allocations, atMost: 0, operations: 10_000) {
        try Valgrind.allocations(.dispatch, $0)
      }
    ),
  ]
)
