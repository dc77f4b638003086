import JSONText

/// The owned fields that a client sent, checked.
///
/// Members that the client does not own are ignored, whatever they hold.
struct RecordDraft {
  let kind: RecordKind
  /// The values in the order of the kind's fields.
  private(set) var values: [(field: RecordField, value: JSONValue)] = []

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
  subscript(name: String) -> JSONValue? {
    values.first { sameName($0.field.name, name) }?.value
  }

  private func sameName(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  /// The JSON of a new record.
  func newRecord(id: String, at: Timestamp) -> [UInt8] {
    var bytes = RecordWriter(id: id)
    for field in kind.fields {
      switch field.presence {
      case .server(let value), .defaults(let value):
        bytes.append(field.name, self[field.name] ?? value)
      case .required, .optional:
        bytes.append(field.name, self[field.name] ?? .null)
      }
    }
    bytes.append("createdAt", .string(at.text))
    return bytes.finish(updatedAt: at.text)
  }

  /// The record with the values in it.
  ///
  /// All other members stay byte for byte, those unknown to this program included.
  ///
  /// - Returns: `nil` where nothing would change.
  func changing(_ current: JSONDocument, at: Timestamp) -> [UInt8]? {
    let members = current.root.members
    var isChanged = false
    var bytes = RecordWriter(id: current.root["id"]?.string ?? "")
    var written = Array(repeating: false, count: values.count)
    for member in members where !RecordWriter.isFixed(member.name) {
      guard let index = values.firstIndex(where: { sameName($0.field.name, member.name) }) else {
        bytes.append(member.name, raw: current.bytes[member.value.range])
        continue
      }
      written[index] = true
      if member.value.value == values[index].value {
        bytes.append(member.name, raw: current.bytes[member.value.range])
      } else {
        isChanged = true
        bytes.append(member.name, values[index].value)
      }
    }
    // An imported record may lack a member; absent is null.
    for (index, (field, value)) in values.enumerated() where !written[index] {
      bytes.append(field.name, value)
      if value != .null { isChanged = true }
    }
    return isChanged ? bytes.finish(updatedAt: at.text) : nil
  }
}
