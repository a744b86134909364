import Services

/// A service ready for use, and how to let go of it.
struct OpenService: Sendable {
  /// The service.
  let service: any DataService
  /// Ends what the service holds open.
  ///
  /// It is called once, after the last use.
  var close: @Sendable () async -> Void = {}
}
