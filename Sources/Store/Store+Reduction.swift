internal import Synchronization

extension Store {
  /// Runs code of the user's in the critical section that no action caused, marked so that its
  /// calls to the store are found.
  @inlinable
  func withReducingMark<Result>(_ body: () -> Result) -> Result {
    reduction.set()
    defer { reduction.clear() }
    return body()
  }

  /// Whether the calling thread is in the critical section, running code of the user's; if so, says
  /// so.
  @inlinable
  func isCalledDuringReduction(_ call: String) -> Bool {
    guard reduction.thread.isCurrent else { return false }
    reportCallDuringReduction(call)
    return true
  }

  /// Tells the diagnostics handler, which is in the critical section as well: what it calls is
  /// ignored, without telling it again and again.
  @usableFromInline
  func reportCallDuringReduction(_ call: String) {
    guard !isReportingCall.exchange(true, ordering: .relaxed) else { return }
    defer { isReportingCall.store(false, ordering: .relaxed) }
    diagnostics(callDuringReduction(call))
  }

  /// What there is to say about a call that this thread makes now.
  func callDuringReduction(_ call: String) -> Diagnostic {
    .callDuringReduction(call: call, reducing: reduction.description)
  }
}
