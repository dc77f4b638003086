import JSONText

/// A dialect's rules for writing records.
struct RecordRules: Sendable {
  var new: @Sendable (RecordKind) -> [RecordField]
  var changed: @Sendable (RecordKind) -> [RecordField]
  /// Whether null and the empty string mean "no change" in a change.
  var skipsEmpty = false
  /// Whether a new record must omit fields without a value instead of sending null.
  var refusesNull = false
  /// Whether deleting a record clears references to it, without giving their records a new version,
  /// as a database does.
  var clearsReferences = false

  /// Returns the fields of a new record or, with `isPartial`, of a change.
  func fields(of kind: RecordKind, isPartial: Bool) -> [RecordField] {
    isPartial ? changed(kind) : new(kind)
  }

  /// All fields of each kind.
  static let v0 = RecordRules(new: { $0.fields }, changed: { $0.fields })

  /// The deployed service's rules.
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
    // Plays are counted by a request of their own.
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
