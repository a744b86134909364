/// What the server is asked for: one body, by so many requests at once.
struct HTTPLoad: Hashable {
  let bodySize: Int
  let concurrency: Int
  /// Whether the body is read as it comes and thrown away.
  let streams: Bool

  static func requests(_ bodySize: Int, concurrency: Int) -> HTTPLoad {
    HTTPLoad(bodySize: bodySize, concurrency: concurrency, streams: false)
  }

  static func stream(_ bodySize: Int) -> HTTPLoad {
    HTTPLoad(bodySize: bodySize, concurrency: 1, streams: true)
  }
}
