import JSONText

/// The owned fields that a client sent, checked.
///
/// Members that the client does not own are ignored, whatever they hold.
struct RecordDraft {
  let kind: RecordKind
  let rules: RecordRules
  /// The values in the order of the kind's fields.
  private(set) var values: [RecordValue] = []

  /// Checks the body of a create or, with `isPartial`, of a change.
  ///
  /// - Throws: `APIFailure` 400 with every wrong field, or 501 for a story without content, which
  ///   would have to be made up.
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
    if kind == .stories, !isPartial, node["content"].map({ $0.kind == .null }) ?? true {
      throw .cannotWrite
    }
    guard problems.isEmpty else { throw .validation(problems) }
  }

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
      case .server(let value): record.append(field.label, value.json)
      case .defaults(let value): record.append(field.label, (self[field.name] ?? value).json)
      case .required, .optional: record.append(field.label, (self[field.name] ?? .null).json)
      }
    }
    record.append("createdAt", text: at.text)
    return record.finish(updatedAt: at.text)
  }

  /// The record with the values in it, and with what follows from them.
  ///
  /// - Returns: `nil` where nothing would change.
  func changing(_ current: JSONDocument, at: Timestamp) -> [UInt8]? {
    RecordWriter.changing(current, values + consequences(current), updatedAt: at.text)
  }

  /// What the server changes by itself because of the values.
  private func consequences(_ current: JSONDocument) -> [RecordValue] {
    guard rules.dropsNarration, kind == .stories, let content = self["content"] else { return [] }
    let before = current.root["content"].map { current.bytes[$0.range] }
    if let before, content.isSame(as: before) { return [] }
    return [
      kind.value("audioUrl", nil), kind.value("audioGenerationStatus", "pending"),
    ].compactMap(\.self)
  }
}
