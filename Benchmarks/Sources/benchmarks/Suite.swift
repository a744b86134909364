/// The benchmarks of one part of the package.
struct Suite: Sendable {
  let name: String
  let groups: [Group]
}
