// swift-tools-version: 6.2

import PackageDescription

// Arrows between targets point downwards only: a target may depend on those declared above it.
// SwiftPM refuses the opposite, for it would be a cycle.

var strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
// Where the project itself is checked, a warning is an error; elsewhere a newer compiler may warn.
if Context.environment["CI"] != nil { strict.append(.treatAllWarnings(as: .error)) }

// What `stories --version` says of the build. A packager names commit and date; else git does.
let environment = Context.environment
let commit =
  environment["STORIES_COMMIT"]
  ?? Context.gitInformation.map {
    String($0.currentCommit.prefix(7)) + ($0.hasUncommittedChanges ? "+" : "")
  }
var build: [CSetting] = []
if let commit { build.append(.define("STORIES_COMMIT", to: "\"\(commit)\"")) }
if let date = environment["STORIES_COMMIT_DATE"] {
  build.append(.define("STORIES_COMMIT_DATE", to: "\"\(date)\""))
}

let package = Package(
  name: "stories",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "stories", targets: ["stories"]),
    .library(name: "JSONText", targets: ["JSONText"]),
    .library(name: "StoryLibrary", targets: ["StoryLibrary"]),
    .library(name: "StoryMerge", targets: ["StoryMerge"]),
    .library(name: "StoryAPI", targets: ["StoryAPI"]),
    .library(name: "StorySync", targets: ["StorySync"]),
    .library(name: "StoryMedia", targets: ["StoryMedia"]),
    .library(name: "StoryPages", targets: ["StoryPages"]),
    .library(name: "StoryServer", targets: ["StoryServer"]),
  ],
  targets: [
    .target(name: "CPlatform"),
    .target(name: "CBuild", cSettings: build),
    .target(name: "JSONText", swiftSettings: strict),
    .target(
      name: "StoryLibrary", dependencies: ["JSONText", "CPlatform"], swiftSettings: strict),
    .target(name: "StoryMerge", dependencies: ["JSONText", "StoryLibrary"], swiftSettings: strict),
    .target(name: "StoryAPI", dependencies: ["JSONText", "StoryLibrary"], swiftSettings: strict),
    .target(
      name: "StorySync", dependencies: ["JSONText", "StoryLibrary", "StoryMerge", "StoryAPI"],
      swiftSettings: strict),
    .target(
      name: "StoryMedia", dependencies: ["JSONText", "StoryLibrary", "StoryAPI", "StorySync"],
      swiftSettings: strict),
    .target(name: "StoryPages", dependencies: ["JSONText", "StoryLibrary"], swiftSettings: strict),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .target(
      name: "StoryServer",
      dependencies: [
        "JSONText", "StoryLibrary",
        .target(name: "CCrypt", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "stories",
      dependencies: [
        "CBuild", "JSONText", "StoryLibrary", "StoryMerge", "StoryAPI", "StorySync", "StoryMedia",
        "StoryPages", "StoryServer",
      ],
      swiftSettings: strict),
    // The benchmark, which is no product.
    .executableTarget(
      name: "stories-bench",
      dependencies: ["CPlatform", "JSONText", "StoryLibrary", "StoryAPI"],
      swiftSettings: strict),
    // What tests of several targets need: folders, clocks, random numbers, servers, programs.
    .target(
      name: "TestSupport",
      dependencies: ["CPlatform", "JSONText", "StoryLibrary", "StoryAPI", "StoryServer"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "StoryLibraryTests",
      dependencies: ["JSONText", "StoryLibrary", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "StoryMergeTests",
      dependencies: ["JSONText", "StoryLibrary", "StoryMerge", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "StoryAPITests",
      dependencies: ["JSONText", "StoryLibrary", "StoryAPI", "StoryServer", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "StoryServerTests",
      dependencies: ["StoryServer", "JSONText", "StoryLibrary", "TestSupport"],
      swiftSettings: strict),
    .target(name: "CStopPoints", path: "Tests/CStopPoints"),
    .testTarget(
      name: "StorySyncTests",
      dependencies: [
        "stories", "JSONText", "StoryLibrary", "StoryMerge", "StoryAPI", "StorySync",
        "StoryServer", "CStopPoints", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StoryMediaTests",
      dependencies: [
        "JSONText", "StoryLibrary", "StoryAPI", "StorySync", "StoryMedia", "StoryServer",
        "StorySyncTests", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StoryPagesTests",
      dependencies: ["JSONText", "StoryLibrary", "StoryPages", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "storiesTests",
      dependencies: [
        "stories", "JSONText", "StoryLibrary", "StoryMerge", "StoryAPI",
        "StorySync", "StoryMedia", "StoryPages", "StoryServer", "TestSupport",
      ],
      swiftSettings: strict),
  ]
)
