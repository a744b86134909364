/// Effects: what one costs above the task that it cannot do without.
let effectsSuite = Suite(
  name: "effects",
  groups: [
    Group(
      Subject("floor.immediate", operations: 100_000, sample: floorImmediate)
    ),
    Group(
      Subject("floor.task", operations: 50_000, sample: floorTask)
    ),
    // Task.sleep keeps some of what was cancelled until its hour is over, so there are few rounds.
    Group(
      maximumRounds: 3,
      Subject("floor.bytes", in: .bytes, operations: 100_000, sample: floorBytes)
    ),
  ]
)
