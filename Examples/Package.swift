// swift-tools-version: 6.3
import PackageDescription

/// One small program an idea: `Sources/<Name>`, with `main.swift` to run it.
let examples = ["Counter", "ReSwiftStyle", "Tour"]

let package = Package(
  name: "MillraceExamples",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, so that the clone's folder may have any name.
    .package(name: "Millrace", path: "..")
  ],
  targets: examples.map { name in
    .executableTarget(name: name, dependencies: [.product(name: "Millrace", package: "Millrace")])
  }
    + ["Counter", "ReSwiftStyle"].map { name in
      .testTarget(
        name: "\(name)Tests",
        dependencies: [
          .target(name: name),
          .product(name: "Millrace", package: "Millrace"),
          .product(name: "StoreTesting", package: "Millrace"),
        ])
    }
    // One file a policy: what it does, and the test that shows it.
    + [
      .testTarget(
        name: "EffectsTests",
        dependencies: [
          .product(name: "Millrace", package: "Millrace"),
          .product(name: "StoreTesting", package: "Millrace"),
        ], path: "Effects")
    ]
)

// As strict as the package itself: what is shown here compiles in the strictest program.
for target in package.targets {
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
