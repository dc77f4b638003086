import JSONText

/// The text of a record: compact JSON, with `id` first and `updatedAt` last.
enum RecordText {
  /// Returns a record with changed values.
  ///
  /// All other members, including unknown ones, stay byte for byte.
  ///
  /// - Returns: `nil` if nothing would change.
  static func changing(
    _ current: JSONDocument, _ values: [RecordValue], updatedAt: String
  ) -> [UInt8]? {
    var isChanged = false
    var record = JSONObjectWriter(
      id: current.root["id"]?.string ?? "", size: current.bytes.count + 512)
    var missing = values
    for member in current.root.members where !isFixed(member.name) {
      let name = member.name
      guard let index = missing.firstIndex(where: { $0.field.name == name }) else {
        record.append(member)
        continue
      }
      let (field, value) = missing.remove(at: index)
      if field.isExtra, value.isNull {
        isChanged = true
      } else if value.isSame(as: current.bytes[member.value.range]) {
        record.append(member)
      } else {
        isChanged = true
        record.append(name, written: value.json)
      }
    }
    // An imported record may lack a member, which is the same as null.
    for (field, value) in missing {
      if field.isExtra, value.isNull { continue }
      record.append(field.name, written: value.json)
      if !value.isNull { isChanged = true }
    }
    return isChanged ? record.finish(updatedAt: updatedAt) : nil
  }

  /// Rewrites a record from another server.
  ///
  /// - Returns: `nil` if it is not an object.
  static func imported(
    _ document: JSONDocument, id: String, updatedAt: String
  ) -> [UInt8]? {
    guard document.root.kind == .object else { return nil }
    // The log has one record per line, so a record that spans several lines is rewritten.
    let isOneLine = !document.bytes.contains { $0 < 0x20 }
    var record = JSONObjectWriter(id: id, size: document.bytes.count + 64)
    for member in document.root.members where !isFixed(member.name) {
      if isOneLine {
        record.append(member)
      } else {
        record.append(member.name, member.value.value)
      }
    }
    return record.finish(updatedAt: updatedAt)
  }

  private static func isFixed(_ name: String) -> Bool { name == "id" || name == "updatedAt" }
}

extension JSONObjectWriter {
  init(id: String, size: Int) {
    self.init(reserving: size)
    append("id", .string(id))
  }

  consuming func finish(updatedAt: String) -> [UInt8] {
    append("updatedAt", .string(updatedAt))
    return finish()
  }
}
