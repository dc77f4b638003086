import JSONText

/// A member of a record and the value that it gets.
typealias RecordValue = (field: RecordField, value: FieldValue)

/// The value of a record's member as it is kept: JSON without a line break.
struct FieldValue: Sendable {
  let json: ArraySlice<UInt8>

  /// A value that is written anew.
  init(_ value: JSONValue) { json = value.compactBytes[...] }

  /// A value as it came, without what stood between its parts.
  init(_ node: JSONNode) { json = node.compactBytes[...] }

  /// A string as it came: a story's text is neither unescaped nor escaped again on its way.
  ///
  /// A JSON string has no line break, since control characters are escaped in it.
  init(string node: JSONNode) { json = node.document.bytes[node.range] }

  static let null = FieldValue(.null)

  var isNull: Bool { json.elementsEqual("null".utf8) }

  /// The string, escapes resolved; `nil` for another kind.
  var string: String? { value?.string }

  private var value: JSONValue? { try? JSONDocument(parsing: Array(json)).root.value }

  /// Whether a value that is written elsewhere is the same, whatever its form.
  func isSame(as other: ArraySlice<UInt8>) -> Bool {
    if json.count == other.count, json.elementsEqual(other) { return true }
    return value == (try? JSONDocument(parsing: Array(other)).root.value)
  }
}
