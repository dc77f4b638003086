// swift-tools-version: 6.1

import PackageDescription

// Arrows between targets point downwards only: a target may depend on those declared above it.
// `PackageGraphTests` reads this manifest's own graph and fails when one points up.

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
  ],
  targets: [
    .target(name: "JSONText", swiftSettings: strict),
    .systemLibrary(name: "CPlatform"),
    .target(
      name: "StoryLibrary", dependencies: ["JSONText", "CPlatform"], swiftSettings: strict),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"], swiftSettings: strict),
  ]
)
