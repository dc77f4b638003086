import JSONText

/// The values that a record is to have: the owned fields that a client sent, checked, or what the
/// server sets by itself.
///
/// Members that the client does not own are ignored, whatever they hold.
struct RecordDraft {
  let kind: RecordKind
  let rules: RecordRules
  /// The values in the order of the kind's fields.
  private(set) var values: [RecordValue] = []

  /// Checks the body of a create or, with `isPartial`, of a change.
  ///
  /// - Throws: `APIFailure` 400 with every wrong field.
  init(
    _ node: JSONNode, of kind: RecordKind, isPartial: Bool, rules: RecordRules
  ) throws(APIFailure) {
    guard node.kind == .object else {
      throw .badRequest("invalidBody", "The record must be a JSON object.")
    }
    self.kind = kind
    self.rules = rules
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

  /// What the server sets by itself, owned fields or its own; names that the kind does not have are
  /// left out.
  init(_ kind: RecordKind, _ values: [(name: String, value: JSONValue)]) {
    self.kind = kind
    rules = .v0
    self.values = values.compactMap { kind.value($0.name, $0.value) }
  }

  /// The id of the record that it goes with.
  var owner: String? { kind.ownerField.flatMap { self[$0]?.string } }

  /// The value of a field, `nil` where the client sent none.
  ///
  /// The names of fields are ASCII, so that no other text equals one by canonical equivalence.
  subscript(name: String) -> FieldValue? { values.first { $0.field.name == name }?.value }

  /// The JSON of a new record.
  func newRecord(id: String, at: Timestamp) -> [UInt8] {
    let size = values.reduce(512) { $0 + $1.value.json.count }
    var record = RecordWriter(id: id, size: size)
    for field in kind.fields {
      switch field.presence {
      case .server(let value), .defaults(let value):
        record.append(field.label, (self[field.name] ?? value).json)
      case .required, .optional: record.append(field.label, (self[field.name] ?? .null).json)
      case .extra:
        if let value = self[field.name], !value.isNull { record.append(field.label, value.json) }
      }
    }
    record.append("createdAt", text: at.version)
    return record.finish(updatedAt: at.version)
  }

  /// The new record, before it has a time.
  func document(id: String) throws(APIFailure) -> JSONNode {
    do throws(JSONSyntaxError) {
      return try JSONDocument(parsing: newRecord(id: id, at: Timestamp(microseconds: 0))).root
    } catch {
      throw .storage
    }
  }

  /// The record with the values in it, and with what follows from them.
  ///
  /// - Returns: `nil` where nothing would change.
  func changing(_ current: JSONDocument, at: Timestamp) -> [UInt8]? {
    RecordWriter.changing(current, values + consequences(current), updatedAt: at.version)
  }

  /// Returns the values that the server resets along with these: a new text makes the narration outdated,
  /// and is no longer what an engine wrote.
  private func consequences(_ current: JSONDocument) -> [RecordValue] {
    guard kind == .stories, let content = self["content"] else { return [] }
    let before = current.root["content"].map { current.bytes[$0.range] }
    if let before, content.isSame(as: before) { return [] }
    return [
      kind.value("audioUrl", nil), kind.value("audioGenerationStatus", "pending"),
      kind.value("audioDuration", nil), kind.value("audioError", nil), kind.value("scenes", nil),
      kind.value("isPlaceholder", nil),
    ].compactMap(\.self)
  }
}
