import JSONText

extension [UInt8] {
  /// Appends a text's UTF-8.
  mutating func append(text: String) {
    var copy = text
    copy.withUTF8 { append(contentsOf: $0) }
  }

  /// Appends a text as a JSON string, quotes and escapes included.
  mutating func append(jsonString text: String) {
    append(contentsOf: JSONValue.string(text).compactBytes)
  }
}
