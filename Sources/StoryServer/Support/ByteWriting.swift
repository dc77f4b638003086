import JSONText

extension [UInt8] {
  /// Appends the UTF-8 bytes of a text.
  mutating func append(text: String) {
    var copy = text
    copy.withUTF8 { append(contentsOf: $0) }
  }

  /// Appends a text as a JSON string, including quotes and escapes.
  mutating func append(jsonString text: String) {
    append(contentsOf: JSONValue.string(text).compactBytes)
  }
}
