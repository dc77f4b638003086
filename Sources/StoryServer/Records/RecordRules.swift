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
}
