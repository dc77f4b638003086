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

// The release build is one file for Linux: the runtime and Foundation are in it, so that it starts in
// a third of the time and runs where there is no toolchain. What the static Foundation needs is named
// here, because modules that were compiled for the dynamic one do not say it. Only the programs are
// linked this way; the libraries stay free of unsafe flags, so that packages can depend on them.
let inRelease = BuildSettingCondition.when(platforms: [.linux], configuration: .release)
let staticRuntime = LinkerSetting.unsafeFlags(["-static-stdlib"], inRelease)
let staticFoundation: [LinkerSetting] = [
  "FoundationNetworking", "_CFURLSessionInterface", "Foundation", "FoundationInternationalization",
  "CoreFoundation", "FoundationEssentials", "_FoundationICU", "_FoundationCShims",
  "_FoundationCollections",
].map { .linkedLibrary($0, inRelease) }

let package = Package(
  name: "stories",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "stories", targets: ["stories"]),
    .executable(name: "stories-driver", targets: ["stories-driver"]),
    .library(name: "JSONText", targets: ["JSONText"]),
    .library(name: "StoryLibrary", targets: ["StoryLibrary"]),
    .library(name: "StoryMerge", targets: ["StoryMerge"]),
    .library(name: "StoryAPI", targets: ["StoryAPI"]),
    .library(name: "StorySync", targets: ["StorySync"]),
    .library(name: "StoryServer", targets: ["StoryServer"]),
  ],
  targets: [
    .systemLibrary(name: "CPlatform"),
    .target(name: "JSONText", swiftSettings: strict),
    .target(
      name: "StoryLibrary", dependencies: ["JSONText", "CPlatform"], swiftSettings: strict),
    .target(name: "StoryMerge", dependencies: ["JSONText", "StoryLibrary"], swiftSettings: strict),
    // What git starts for each file: without network and Foundation it is there in a third of the time.
    .executableTarget(
      name: "stories-driver", dependencies: ["StoryMerge"], swiftSettings: strict,
      linkerSettings: [staticRuntime]),
    .target(name: "StoryAPI", dependencies: ["JSONText", "StoryLibrary"], swiftSettings: strict),
    .target(
      name: "StorySync", dependencies: ["JSONText", "StoryLibrary", "StoryMerge", "StoryAPI"],
      swiftSettings: strict),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .target(
      name: "StoryServer",
      dependencies: ["JSONText", .target(name: "CCrypt", condition: .when(platforms: [.linux]))],
      swiftSettings: strict),
    .target(
      name: "CLazyCurl",
      cSettings: [.define("STORIES_LAZY_CURL", inRelease)]),
    .executableTarget(
      name: "stories",
      dependencies: [
        "CLazyCurl", "CPlatform", "JSONText", "StoryLibrary", "StoryMerge", "StoryAPI", "StorySync",
        "StoryServer",
      ],
      swiftSettings: strict, linkerSettings: [staticRuntime] + staticFoundation),
    // The benchmark, what counts for it, and a limit that it measures against; none is a product.
    .executableTarget(
      name: "stories-bench",
      dependencies: [
        "CAllocations", "CPlatform", "JSONText", "StoryLibrary", "StoryMerge", "StoryAPI",
        "StorySync", "StoryServer",
      ],
      swiftSettings: strict),
    .target(name: "CAllocations"),
    .executableTarget(name: "empty-program", swiftSettings: strict),
    // What tests of several targets need: starting programs.
    .target(
      name: "TestSupport", dependencies: ["CPlatform"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"], swiftSettings: strict),
    .testTarget(
      name: "StoryLibraryTests", dependencies: ["JSONText", "StoryLibrary"],
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
      name: "StoryServerTests", dependencies: ["StoryServer", "JSONText", "TestSupport"],
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
      name: "storiesTests",
      dependencies: [
        "stories", "stories-driver", "JSONText", "StoryLibrary", "StoryMerge", "StoryAPI",
        "StorySync", "StoryServer", "TestSupport",
      ],
      swiftSettings: strict),
  ]
)
