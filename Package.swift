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
    .library(name: "StoryAPI", targets: ["StoryAPI"]),
  ],
  targets: [
    .target(name: "JSONText", swiftSettings: strict),
    .target(name: "StoryLibrary", dependencies: ["JSONText"], swiftSettings: strict),
    .target(name: "StoryAPI", dependencies: ["JSONText", "StoryLibrary"], swiftSettings: strict),
    .testTarget(
      name: "StoryAPITests", dependencies: ["JSONText", "StoryLibrary", "StoryAPI"],
      swiftSettings: strict),
  ]
)
