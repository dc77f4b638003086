// swift-tools-version: 6.1

import PackageDescription

// Arrows between targets point downwards only: a target may depend on those declared above it.
// SwiftPM refuses the opposite, for it would be a cycle.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "stories",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "JSONText", targets: ["JSONText"]),
    .library(name: "StoryLibrary", targets: ["StoryLibrary"]),
    .library(name: "StoryAPI", targets: ["StoryAPI"]),
    .library(name: "StorySync", targets: ["StorySync"]),
  ],
  targets: [
    .systemLibrary(name: "CPlatform"),
    .target(name: "JSONText", swiftSettings: strict),
    .target(
      name: "StoryLibrary", dependencies: ["JSONText", "CPlatform"], swiftSettings: strict),
    .target(name: "StoryAPI", dependencies: ["JSONText", "StoryLibrary"], swiftSettings: strict),
    .target(
      name: "StorySync", dependencies: ["JSONText", "StoryLibrary", "StoryAPI"],
      swiftSettings: strict),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"], swiftSettings: strict),
    .testTarget(
      name: "StoryAPITests", dependencies: ["JSONText", "StoryLibrary", "StoryAPI"],
      swiftSettings: strict),
  ]
)
