/// Effects: what one costs above the task that it cannot do without.
let effectsSuite = Suite(
  name: "effects",
  groups: [
    Group(
      Subject("floor.immediate", operations: 100_000, sample: floorImmediate),
      Subject(
        "effect.roundtrip", against: "floor.immediate", ratioAtMost: 3.5, operations: 100_000,
        sample: effectRoundtrip),
      Subject(
        "effect.latest", against: "effect.roundtrip", ratioAtMost: 1.5, operations: 100_000,
        sample: effectLatest),
      Subject(
        "debounce.churn", against: "effect.roundtrip", ratioAtMost: 2, operations: 100_000,
        sample: effectDebounce)
    ),
    Group(
      Subject("floor.task", operations: 50_000, sample: floorTask),
      Subject(
        "effect.suspending", against: "floor.task", ratioAtMost: 1.5, operations: 50_000,
        sample: effectSuspending)
    ),
    // Task.sleep keeps some of what was cancelled until its hour is over, so there are few rounds.
    Group(
      maximumRounds: 3,
      Subject("floor.bytes", in: .bytes, operations: 100_000, sample: floorBytes),
      Subject(
        "effect.bytes", in: .bytes, against: "floor.bytes", ratioAtMost: 1.4,
        operations: 100_000, sample: effectBytes)
    ),
    // Few are alive in most programs. There what an effect takes is not hidden by what room is kept
    // for more of them.
    Group(
      maximumRounds: 3,
      Subject("floor.bytes.1k", in: .bytes, operations: 1_000, sample: floorBytes),
      Subject(
        "effect.bytes.1k", in: .bytes, against: "floor.bytes.1k", ratioAtMost: 1.4,
        operations: 1_000, sample: effectBytes)
    ),
    // What waits for an hour and is cancelled leaves nothing: the growth of all of them together.
    Group(
      maximumRounds: 1, isApart: true,
      Subject(
        "growth.sleeps", in: .bytes, atMost: 5_242_880, operations: 300_000
      ) { try Growth.resident(.sleeps, $0) },
      Subject(
        "growth.timeouts", in: .bytes, atMost: 5_242_880, operations: 300_000
      ) { try Growth.resident(.timeouts, $0) },
      Subject(
        "growth.debounces", in: .bytes, atMost: 5_242_880, operations: 300_000
      ) { try Growth.resident(.debounces, $0) },
      Subject(
        "growth.retries", in: .bytes, atMost: 5_242_880, operations: 300_000
      ) { try Growth.resident(.retries, $0) },
      Subject(
        "growth.restarts", in: .bytes, atMost: 5_242_880, operations: 300_000
      ) { try Growth.resident(.restarts, $0) }
    ),
    Group(
      maximumRounds: 3,
      Subject("floor.cancel.100k", operations: 100_000, sample: floorCancel),
      Subject("effect.cancel.1k", operations: 1_000, sample: effectCancel),
      Subject(
        "effect.cancel.100k", against: "effect.cancel.1k", atMost: 5_000, ratioAtMost: 2,
        operations: 100_000, sample: effectCancel)
    ),
    // What does not concern an effect costs nothing for it.
    Group(
      Subject(
        "effect.unconcerned.allocations", in: .allocations, atMost: 0, operations: 10_000
      ) { try Valgrind.allocations(.unconcernedEffects, $0) },
      Subject("effect.roundtrip.instructions", in: .instructions, operations: 2_000) {
        try Valgrind.instructions(.roundtrip, $0)
      },
      Subject("debounce.churn.instructions", in: .instructions, operations: 2_000) {
        try Valgrind.instructions(.debounceChurn, $0)
      },
      Subject(
        "floor.immediate.instructions", in: .instructions, operations: 2_000
      ) { try Valgrind.instructions(.floorImmediate, $0) }
    ),
  ]
)
