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
    .library(name: "JSONText", targets: ["JSONText"])
  ],
  targets: [
    .target(name: "JSONText", swiftSettings: strict),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .target(
      name: "StoryServer",
      dependencies: [
        "JSONText", .target(name: "CCrypt", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StoryServerTests", dependencies: ["StoryServer", "JSONText"], swiftSettings: strict),
  ]
)
