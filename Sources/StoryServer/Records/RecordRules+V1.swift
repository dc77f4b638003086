import JSONText

extension RecordRules {
  /// The rules of the deployed service.
  static let v1 = RecordRules(
    new: { newFields($0) },
    changed: { kind in
      let fixed = kind == .stories ? ["heroId", "eventType"] : []
      return newFields(kind).filter { !fixed.contains($0.name) }
    },
    skipsEmpty: true, refusesNull: true, clearsReferences: true)

  private static let languages = ["en", "fr", "es", "de", "it"]

  private static func newFields(_ kind: RecordKind) -> [RecordField] {
    switch kind {
    case .heroes: heroes
    case .stories: stories
    case .customEvents: customEvents
    case .illustrations: kind.fields
    }
  }

  private static let heroes: [RecordField] = [
    .owned("name", .text(1...200), .required),
    .owned("age", .integer(3...12), .required),
    .owned("traits", .texts(count: 1...20, each: 1...100), .required),
    RecordField(
      "specialAbility", .phrases(count: 0...10, each: 1...1000), .optional,
      sentAs: "specialAbilities"),
    .owned("appearance", .text(0...2000), .optional),
    .owned("hairColor", .text(0...1000), .optional),
    .owned("eyeColor", .text(0...1000), .optional),
    .owned("skinTone", .text(0...1000), .optional),
    .owned("height", .text(0...1000), .optional),
  ]

  /// Readings are counted by a request of their own.
  private static let stories: [RecordField] = [
    .owned("title", .text(1...500), .required),
    .owned("content", .text(1...Int.max), .required),
    .owned("heroId", .reference(.heroes), .required),
    .owned("eventType", .text(1...100), .optional),
    .owned("customEventId", .reference(.customEvents), .optional),
    .owned("language", .oneOf(languages), default: "en"),
    .owned("isFavorite", .flag, default: false),
  ]

  private static let customEvents: [RecordField] = [
    .owned("title", .text(1...200), .required),
    .owned("description", .text(0...5000), .optional),
    .owned("promptSeed", .text(1...2000), .required),
    .owned("category", .text(1...200), default: "general"),
    .owned("ageRange", .text(0...200), .optional),
    .owned("tone", .text(1...200), default: "cheerful"),
    .owned("keywords", .texts(count: 0...100, each: 1...200), default: []),
    .owned("isFavorite", .flag, default: false),
  ]
}
