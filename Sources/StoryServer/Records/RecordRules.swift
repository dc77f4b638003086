import JSONText

/// What a client may write into records, and what the server does by itself when it does.
struct RecordRules: Sendable {
  /// The members of a new record that count, by kind.
  var new: @Sendable (RecordKind) -> [RecordField]
  /// The members of a change that count, by kind.
  var changed: @Sendable (RecordKind) -> [RecordField]
  /// Whether null and the empty string in a change stand for “no change”.
  var skipsEmpty = false
  /// Whether a new record must leave out what it has no value for, instead of holding null.
  var refusesNull = false
  /// Whether records that name a deleted one name nothing afterwards; without a new version, as a
  /// database clears them.
  var clearsReferences = false

  /// The fields of a new record, or with `isPartial` of a change.
  func fields(of kind: RecordKind, isPartial: Bool) -> [RecordField] {
    isPartial ? changed(kind) : new(kind)
  }

  /// All that a kind has.
  static let v0 = RecordRules(new: { $0.fields }, changed: { $0.fields })

  /// The rules of the deployed service, where they differ from ``v0``.
  static let v1 = RecordRules(
    new: { newFields($0) },
    changed: { kind in
      let fixed = kind == .stories ? ["heroId", "eventType"] : []
      return newFields(kind).filter { !fixed.contains($0.name) }
    },
    skipsEmpty: true, refusesNull: true, clearsReferences: true)

  private static func newFields(_ kind: RecordKind) -> [RecordField] {
    let others =
      switch kind {
      case .heroes: heroes
      case .stories: stories
      case .customEvents, .illustrations: [RecordField]()
      }
    // Readings are counted by a request of their own.
    let missing = kind == .stories ? ["playCount"] : []
    return kind.fields.filter { !missing.contains($0.name) }.map { field in
      others.first { $0.name == field.name } ?? field
    }
  }

  private static let heroes: [RecordField] = [
    .owned("age", .integer(3...12), .required),
    .owned("traits", .texts(count: 1...20, each: 1...100), .required),
    RecordField(
      "specialAbility", .phrases(count: 0...10, each: 1...1000), .optional,
      sentAs: "specialAbilities"),
  ]

  private static let stories: [RecordField] = [
    .owned("content", .text(1...Int.max), .required),
    .owned("language", .oneOf(["en", "fr", "es", "de", "it"]), default: "en"),
  ]
}
