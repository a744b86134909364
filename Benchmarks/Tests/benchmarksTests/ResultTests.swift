import Testing

@testable import benchmarks

@Suite struct ResultTests {
  private func result(_ samples: [Double], atMost: Double? = nil, atLeast: Double? = nil) -> Result
  {
    Result(
      subject: Subject(
        "ours", in: .perSecond, against: "theirs", ratioAtMost: atMost, ratioAtLeast: atLeast,
        operations: 1, sample: { _ in 0 }),
      samples: samples, baselineSamples: [10, 20, 40], yardstickSamples: nil)
  }

  @Test func `a ratio below its floor is a broken promise`() {
    let result = result([7, 15, 28], atLeast: 0.8)
    #expect(result.ratio == 0.7)
    #expect(result.brokenLimits == ["ours is 0.7 × theirs, promised at least 0.8 ×"])
    #expect(result.line.contains("\"ratioFloor\":0.8,\"holds\":false"))
  }

  @Test func `a ratio at its floor is kept`() {
    let result = result([8, 16, 32], atLeast: 0.8)
    #expect(result.brokenLimits.isEmpty)
    #expect(result.line.contains("\"ratioFloor\":0.8,\"holds\":true"))
  }

  @Test func `a ratio above its limit is a broken promise`() {
    let result = result([20, 40, 80], atMost: 1.6)
    #expect(result.brokenLimits == ["ours is 2.0 × theirs, promised at most 1.6 ×"])
  }

  @Test func `without a limit nothing is judged`() {
    #expect(result([1, 1, 1]).line.contains("\"holds\":null"))
  }
}
