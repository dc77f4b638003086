import JSONText

/// A dialect's rules for writing records.
extension ServerAPI {
  /// Returns the fields of a new record or, with `isPartial`, of a change.
  func fields(of kind: RecordKind, isPartial: Bool) -> [RecordField] {
    guard self == .v1 else { return kind.fields }
    let own =
      switch kind {
      case .heroes: Self.heroes
      case .stories: Self.stories
      case .customEvents, .illustrations: [RecordField]()
      }
    var missing: Set<String> = []
    if kind == .stories {
      // Plays are counted by a request of their own.
      missing = isPartial ? ["playCount", "heroId", "eventType"] : ["playCount"]
    }
    return kind.fields.filter { !missing.contains($0.name) }.map { field in
      own.first { $0.name == field.name } ?? field
    }
  }

  /// Whether null and the empty string mean "no change" in a change.
  var skipsEmpty: Bool { self == .v1 }

  /// Whether a new record must omit fields without a value instead of sending null.
  var refusesNull: Bool { self == .v1 }

  /// Whether deleting a record clears references to it, without giving their records a new version,
  /// as a database does.
  var clearsReferences: Bool { self == .v1 }

  private static let heroes: [RecordField] = [
    .owned("age", .integer(3...12), .required),
    .owned("traits", .texts(count: 1...20, each: 1...100), .required),
    .owned(
      "specialAbility", .phrases(count: 0...10, each: 1...1000), .optional,
      sentAs: "specialAbilities"),
  ]

  private static let stories: [RecordField] = [
    .owned("content", .text(1...Int.max), .required),
    .owned("language", .oneOf(["en", "fr", "es", "de", "it"]), default: "en"),
  ]
}
