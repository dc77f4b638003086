import JSONText

/// The new values of a record: the fields that a client sent, validated, or values set by the
/// server.
///
/// Members that the client does not own are ignored.
struct RecordDraft {
  let kind: RecordKind
  /// The values in the order of the kind's fields.
  private(set) var values: [RecordValue] = []

  /// Validates the body of a create or, with `isPartial`, of a change.
  ///
  /// - Throws: `APIFailure` with status 400 naming every invalid field.
  init(
    _ node: JSONNode, of kind: RecordKind, isPartial: Bool, rules: ServerAPI
  ) throws(APIFailure) {
    guard node.kind == .object else {
      throw .badRequest("invalidBody", "The record must be a JSON object.")
    }
    self.kind = kind
    var problems: [(String, String)] = []
    for field in rules.fields(of: kind, isPartial: isPartial) where field.isOwned {
      guard let member = node[field.sentName] else {
        if case .required = field.presence, !isPartial {
          problems.append((field.sentName, "is missing"))
        }
        continue
      }
      let isNull = member.kind == .null
      if isPartial, rules.skipsEmpty, isNull || member.string?.isEmpty == true { continue }
      if !isPartial, rules.refusesNull, isNull {
        problems.append((field.sentName, "must not be null"))
        continue
      }
      do throws(RecordField.Refusal) {
        values.append((field, try field.value(of: member)))
      } catch {
        problems.append((field.sentName, error.message))
      }
    }
    guard problems.isEmpty else { throw .validation(problems) }
  }

  /// Creates a draft from values set by the server. Names that the kind does not have are ignored.
  init(_ kind: RecordKind, _ values: [(name: String, value: JSONValue)]) {
    self.kind = kind
    self.values = values.compactMap { name, value in
      kind.fields.first { $0.name == name }.map { ($0, FieldValue(value)) }
    }
  }

  var owner: String? { kind.ownerField.flatMap { self[$0]?.string } }

  /// The value of a field, or `nil` if the client did not send one.
  ///
  /// The names of fields are ASCII, so canonical equivalence cannot make other names equal.
  subscript(name: String) -> FieldValue? { values.first { $0.field.name == name }?.value }

  func newRecord(id: String, at: Timestamp) -> [UInt8] {
    let size = values.reduce(512) { $0 + $1.value.json.count }
    var record = JSONObjectWriter(id: id, size: size)
    for field in kind.fields {
      var value = self[field.name]
      switch field.presence {
      case .server(let initial), .defaults(let initial): value = value ?? initial
      case .required, .optional: value = value ?? .null
      case .extra: if value?.isNull == true { value = nil }
      }
      if let value { record.append(field.name, written: value.json) }
    }
    record.append("createdAt", .string(at.version))
    return record.finish(updatedAt: at.version)
  }

  /// Returns the new record before it has a time.
  func document(id: String) throws(APIFailure) -> JSONNode {
    try parsed(newRecord(id: id, at: Timestamp(microseconds: 0)))
  }

  /// Returns the values with those that the server resets along with them: a new text makes the
  /// narration outdated and is not an engine's work.
  func changes(to current: JSONNode) -> [RecordValue] {
    guard kind == .stories, let content = self["content"] else { return values }
    let before = current["content"].map { current.document.bytes[$0.range] }
    if let before, content.isSame(as: before) { return values }
    let reset: [(name: String, value: JSONValue)] = [
      ("audioUrl", nil), ("audioGenerationStatus", "pending"), ("audioDuration", nil),
      ("audioError", nil), ("scenes", nil), ("isPlaceholder", nil),
    ]
    return values + RecordDraft(kind, reset).values
  }
}
