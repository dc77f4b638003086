import JSONText

extension RecordKind {
  /// The members between `id` and `createdAt`, in the order in which they are written.
  var fields: [RecordField] {
    switch self {
    case .heroes: Self.heroFields
    case .stories: Self.storyFields
    case .customEvents: Self.customEventFields
    case .illustrations: Self.illustrationFields
    }
  }

  private static let heroFields: [RecordField] = [
    .owned("name", .text(1...200), .required),
    .owned("age", .integer(0...150), .required),
    .owned("traits", .texts(count: 0...20, each: 1...100), default: []),
    .owned("specialAbility", .text(0...1000), .optional),
    .owned("appearance", .text(0...2000), .optional),
    .owned("hairColor", .text(0...1000), .optional),
    .owned("eyeColor", .text(0...1000), .optional),
    .owned("skinTone", .text(0...1000), .optional),
    .owned("height", .text(0...1000), .optional),
    .server("avatarUrl", nil),
    .server("avatarGenerationId", nil),
    .extra("avatarIsPlaceholder"),
  ]

  private static let storyFields: [RecordField] = [
    .owned("title", .text(1...500), .required),
    // Limited only by the size of a body.
    .owned("content", .text(0...Int.max), .required),
    .owned("heroId", .reference(.heroes), .required),
    .owned("eventType", .text(1...100), .optional),
    .owned("customEventId", .reference(.customEvents), .optional),
    .owned("language", .language, default: "en"),
    .server("audioUrl", nil),
    .server("audioGenerationStatus", "pending"),
    .server("audioDuration", nil),
    .server("illustrationStatus", "none"),
    .server("illustrationCount", 0),
    .owned("isFavorite", .flag, default: false),
    .owned("playCount", .integer(0...Int(Int32.max)), default: 0),
    .server("lastPlayedAt", nil),
    .extra("audioError"),
    .extra("scenes"),
    .extra("isPlaceholder"),
  ]

  private static let customEventFields: [RecordField] = [
    .owned("title", .text(1...200), .required),
    .owned("description", .text(0...5000), .optional),
    .owned("promptSeed", .text(1...2000), .required),
    .owned("category", .text(1...200), default: "general"),
    .owned("ageRange", .text(0...200), .optional),
    .owned("tone", .text(1...200), default: "cheerful"),
    .owned("keywords", .texts(count: 0...100, each: 1...200), default: []),
    .owned("isFavorite", .flag, default: false),
    .server("usageCount", 0),
  ]

  private static let illustrationFields: [RecordField] = [
    .server("storyId", nil),
    .server("displayOrder", 0),
    .server("sceneDescription", ""),
    .server("imagePrompt", ""),
    .server("imageUrl", nil),
    .server("generationStatus", "pending"),
    .server("error", nil),
    .server("audioTimestamp", 0),
    .server("audioDuration", nil),
    .extra("isPlaceholder"),
  ]
}
