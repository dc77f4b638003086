import JSONText

/// The owned fields that a client sent, checked.
///
/// Members that the client does not own are ignored, whatever they hold.
struct RecordDraft {
  let kind: RecordKind
  /// The values in the order of the kind's fields.
  private(set) var values: [(field: RecordField, value: FieldValue)] = []

  /// Checks the body of a create or, with `isPartial`, of a change.
  ///
  /// - Throws: `APIFailure` 400 with every wrong field, or 501 for a story without content, which
  ///   would have to be made up.
  init(_ node: JSONNode, of kind: RecordKind, isPartial: Bool) throws(APIFailure) {
    guard node.kind == .object else {
      throw .badRequest("invalidBody", "The record must be a JSON object.")
    }
    self.kind = kind
    var problems: [(String, String)] = []
    for field in kind.fields where field.isOwned {
      guard let member = node[field.name] else {
        if case .required = field.presence, !isPartial {
          problems.append((field.name, "is missing"))
        }
        continue
      }
      do throws(RecordField.Refusal) {
        values.append((field, try field.value(of: member)))
      } catch {
        problems.append((field.name, error.message))
      }
    }
    if kind == .stories, !isPartial, node["content"].map({ $0.kind == .null }) ?? true {
      throw APIFailure(
        501, "generationUnavailable",
        "This server writes no stories; send the story's title and content.")
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

  /// The record with the values in it.
  ///
  /// All other members stay byte for byte, those unknown to this program included.
  ///
  /// - Returns: `nil` where nothing would change.
  func changing(_ current: JSONDocument, at: Timestamp) -> [UInt8]? {
    var isChanged = false
    var record = RecordWriter(
      id: current.root["id"]?.string ?? "", size: current.bytes.count + 512)
    var written = Array(repeating: false, count: values.count)
    for member in current.root.members where !RecordWriter.isFixed(member) {
      let name = member.name
      guard let index = values.firstIndex(where: { $0.field.name == name }) else {
        record.append(member)
        continue
      }
      written[index] = true
      if values[index].value.isSame(as: current.bytes[member.value.range]) {
        record.append(member)
      } else {
        isChanged = true
        record.append(values[index].field.label, values[index].value.json)
      }
    }
    // An imported record may lack a member; absent is null.
    for (index, (field, value)) in values.enumerated() where !written[index] {
      record.append(field.label, value.json)
      if !value.isNull { isChanged = true }
    }
    return isChanged ? record.finish(updatedAt: at.text) : nil
  }
}
