public import JSONText

extension Schema {
  /// Sets fields in the members of a record file; other members stay.
  ///
  /// A null removes the field. A field that is stated by one of its keys replaces the others. Long text
  /// keeps its form: an array of lines, or one string.
  /// - Parameters:
  ///   - values: The fields by their keys; long text as one string.
  ///   - members: The members of the file.
  public func apply(_ values: JSONObject, to members: inout JSONObject) {
    for value in values.members {
      guard let index = fieldIndex(key: value.key) else { continue }
      let field = fields[index]
      for key in field.keys where key != value.key || value.value.isNull { members[key] = nil }
      guard !value.value.isNull else { continue }
      if field.shape == .lines, let text = value.value.string {
        members[value.key] = Self.long(text, like: members[value.key])
      } else {
        members[value.key] = value.value
      }
    }
  }

  /// Returns a long text in the form of the existing one, unchanged if it says the same.
  private static func long(_ text: String, like old: JSONValue?) -> JSONValue {
    if old?.string != nil { return .string(text) }
    let elements = (old?.array ?? []).compactMap(\.string)
    if let old, JSONValue.string(elements.joined(separator: "\n")) == .string(text) { return old }
    return .array(RecordFile.elementsOfLines(text, like: elements).map { .string($0) })
  }
}
