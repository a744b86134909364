// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Millrace",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Millrace", targets: ["Store", "Middleware", "SideEffects"]),
    .library(name: "Store", targets: ["Store"]),
    .library(name: "Middleware", targets: ["Middleware"]),
    .library(name: "SideEffects", targets: ["SideEffects"]),
    .library(name: "StoreTesting", targets: ["StoreTesting"]),
    .library(name: "CurlHTTP", targets: ["CurlHTTP"]),
    .library(name: "Services", targets: ["Services"]),
    .library(name: "Posts", targets: ["Posts"]),
    .executable(name: "postsctl", targets: ["postsctl"]),
  ],
  targets: [
    // The store and what follows from its actions, each importing only what stands before it.
    .target(name: "Store"),
    .target(name: "Middleware", dependencies: ["Store"]),
    .target(name: "SideEffects", dependencies: ["Store", "Middleware"]),
    .target(name: "StoreTesting", dependencies: ["Store", "Middleware", "SideEffects"]),

    // Talking to the outside. Nothing here knows the store.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CurlHTTP", dependencies: ["CCurl"]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "Services", dependencies: ["CurlHTTP", "CSQLite"]),

    // The users-and-posts feature, and the command-line tool that runs it.
    .target(name: "Posts", dependencies: ["Store", "Middleware", "SideEffects", "Services"]),
    .executableTarget(
      name: "postsctl",
      dependencies: ["Store", "Middleware", "SideEffects", "CurlHTTP", "Services", "Posts"]),

    // Tests mirror the targets; TestSupport is theirs alone.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
    .testTarget(name: "StoreTests", dependencies: ["Store", "TestSupport"]),
    .testTarget(
      name: "MiddlewareTests", dependencies: ["Middleware", "SideEffects", "Store", "TestSupport"]),
    .testTarget(
      name: "SideEffectsTests",
      dependencies: ["SideEffects", "Middleware", "Store", "StoreTesting", "TestSupport"]),
    .testTarget(
      name: "StoreTestingTests",
      dependencies: ["StoreTesting", "SideEffects", "Middleware", "Store", "TestSupport"],
      exclude: ["__Snapshots__"]),
    .testTarget(
      name: "ModelTests", dependencies: ["SideEffects", "Middleware", "Store", "TestSupport"]),
    .testTarget(name: "CurlHTTPTests", dependencies: ["CurlHTTP", "TestSupport"]),
    .testTarget(
      name: "ServicesTests", dependencies: ["Services", "CurlHTTP", "CSQLite", "TestSupport"]),
    .testTarget(
      name: "PostsTests",
      dependencies: [
        "Posts", "Services", "SideEffects", "Middleware", "Store", "StoreTesting", "TestSupport",
      ]),
    .testTarget(
      name: "postsctlTests",
      dependencies: ["postsctl", "Posts", "Services", "Middleware", "TestSupport"]),
    .testTarget(name: "IntegrationTests", dependencies: ["postsctl", "TestSupport"]),
  ]
)

// One setting for every target that has Swift sources: the language as strict as it can be.
for target in package.targets where target.type != .system {
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
