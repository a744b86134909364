/// Testing: what a step of a test costs.
let testingSuite = Suite(
  name: "testing",
  groups: [
    Group(
      // Judged as the others are, in proportion to a dispatch of this machine.
      Subject("baseline.dispatch", operations: 100_000, sample: baselineDispatch),
      Subject(
        "teststore.step", against: "baseline.dispatch", atMost: 50_000, operations: 5_000,
        sample: testStoreStep)
    )
  ]
)
