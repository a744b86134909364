import CUsage

/// What a client is to do, as the command line says it: `URL BODY-SIZE [REQUESTS CONCURRENCY]`.
///
/// Without the last two, one body is read and thrown away as it comes.
public struct HTTPWork: Sendable {
  /// Where every request goes.
  public let url: String
  /// The bytes that every body must have.
  public let bodySize: Int
  /// How many requests are measured.
  public let requests: Int
  /// How many requests are under way at once, each on a connection of its own.
  public let concurrency: Int
  /// Whether one body is to be read as a stream.
  public let streams: Bool

  /// Reads the arguments of a program, or returns nil if they make no sense.
  ///
  /// - Parameter arguments: The arguments, the program's name first.
  public init?(arguments: [String]) {
    guard arguments.count == 3 || arguments.count == 5, let bodySize = Int(arguments[2]),
      bodySize >= 0
    else { return nil }
    streams = arguments.count == 3
    guard let requests = streams ? 1 : Int(arguments[3]), requests > 0,
      let concurrency = streams ? 1 : Int(arguments[4]), concurrency > 0
    else { return nil }
    url = arguments[1]
    self.bodySize = bodySize
    self.requests = requests
    self.concurrency = concurrency
  }

  /// Sends all requests and prints what that took: nanoseconds, the processors' nanoseconds, and
  /// the peak of memory in bytes.
  ///
  /// Requests that are not measured come first and open the connections.
  public func measure(_ send: @escaping @Sendable () async throws -> Void) async throws {
    if !streams { try await run(4 * concurrency, send) }
    let (clock, processors) = (cusage_clock_nanoseconds(), cusage_cpu_nanoseconds())
    try await run(requests, send)
    let (clockEnd, processorsEnd) = (cusage_clock_nanoseconds(), cusage_cpu_nanoseconds())
    print(clockEnd - clock, processorsEnd - processors, cusage_peak_bytes())
  }

  /// Fails unless the response is the one that was asked for.
  public func check(status: Int, bodySize: Int) throws(WrongResponse) {
    guard status == 200, bodySize == self.bodySize else {
      throw WrongResponse(status: status, bodySize: bodySize)
    }
  }

  private func run(
    _ requests: Int, _ send: @escaping @Sendable () async throws -> Void
  ) async throws {
    // As a program would that has one thing to do after the other.
    if concurrency == 1 {
      for _ in 0..<requests { try await send() }
      return
    }
    try await withThrowingTaskGroup { group in
      for worker in 0..<concurrency {
        let share = requests / concurrency + (worker < requests % concurrency ? 1 : 0)
        group.addTask { for _ in 0..<share { try await send() } }
      }
      try await group.waitForAll()
    }
  }
}

/// A response that the server of the benchmarks does not give.
public struct WrongResponse: Error {
  let status: Int
  let bodySize: Int
}
