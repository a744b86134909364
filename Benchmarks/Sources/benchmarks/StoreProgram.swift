/// The state of the program that both stores run.
struct Counter: Equatable, Sendable {
  var count = 0
  let constant = 7
}

/// Adds one to the count.
struct Increment: Sendable {}

/// Is never sent; links, items and reducers that handle it have nothing to do.
struct Unconcerned: Sendable {}

/// Puts a value in the place of an array's last.
struct Append: Sendable {
  let value: Int
}
