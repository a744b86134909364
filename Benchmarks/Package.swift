// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "MillraceBenchmarks",
  // Task.immediate, the floor under every effect, is not in earlier systems.
  platforms: [.macOS(.v26)],
  dependencies: [
    // Named, so that the clone's folder may have any name.
    .package(name: "Millrace", path: "..")
  ],
  targets: [
    // A module of its own: seen from the benchmark, a baseline must be as far away as the package
    // is, or the optimiser would see through the one and not through the other.
    .target(name: "Baselines"),
    // What the allocator knows about itself, which Swift's C modules leave out.
    .target(name: "CMemory"),
    // Expressions as long as a large program has them; Scripts/compile-time.sh times the compiler.
    .target(
      name: "CompileTime", dependencies: [.product(name: "Millrace", package: "Millrace")]),
    // What the system knows about a process, asked in the same way by every HTTP client.
    .target(name: "CUsage"),
    // The same load on three HTTP clients, a program each: what one allocates or loads must not
    // count for another.
    .executableTarget(
      name: "http-c", dependencies: ["CUsage"], linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "HTTPWork", dependencies: ["CUsage"]),
    .executableTarget(
      name: "http-millrace",
      dependencies: ["HTTPWork", .product(name: "CurlHTTP", package: "Millrace")]),
    .executableTarget(name: "http-urlsession", dependencies: ["HTTPWork"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Baselines", "CMemory", .product(name: "Millrace", package: "Millrace"),
        .product(name: "StoreTesting", package: "Millrace"),
      ]),
    .testTarget(name: "benchmarksTests", dependencies: ["benchmarks", "HTTPWork"]),
    // Random programs over effects, for as long as one likes; measures nothing but memory.
    .executableTarget(
      name: "soak", dependencies: ["CMemory", .product(name: "Millrace", package: "Millrace")]),
  ]
)

// As strict as the package that is measured.
for target in package.targets where !["CMemory", "CUsage", "http-c"].contains(target.name) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),  // SE-0458
    .treatAllWarnings(as: .error),  // SE-0443
    .treatWarning("ExplicitSendable", as: .error),  // every public type says whether it is Sendable
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
  ]
}
