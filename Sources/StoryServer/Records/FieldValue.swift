import JSONText

/// A member of a record with its new value.
typealias RecordValue = (field: RecordField, value: FieldValue)

/// The value of a record's member as stored: JSON without line breaks.
struct FieldValue: Sendable {
  let json: ArraySlice<UInt8>

  init(_ value: JSONValue) { json = value.compactBytes[...] }

  /// Keeps a string exactly as sent, so that a story's text is neither unescaped nor escaped again.
  ///
  /// A JSON string has no line breaks, because control characters in it are escaped.
  init(string node: JSONNode) { json = node.document.bytes[node.range] }

  static let null = FieldValue(.null)

  var isNull: Bool { json.elementsEqual("null".utf8) }

  /// The string, unescaped, or `nil` if the value is not a string.
  var string: String? { value?.string }

  private var value: JSONValue? { try? JSONDocument(parsing: Array(json)).root.value }

  /// Returns whether a value written elsewhere is equal, whatever its formatting.
  func isSame(as other: ArraySlice<UInt8>) -> Bool {
    if json.count == other.count, json.elementsEqual(other) { return true }
    return value == (try? JSONDocument(parsing: Array(other)).root.value)
  }
}
