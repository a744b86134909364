import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a suite, with a reason, where a server program is not installed.
  static func needs(_ program: String, package: String) -> Self {
    .enabled(
      if: SystemServer.path(of: program) != nil,
      "There is no \(program) here; install it (apt install \(package)).")
  }
}
