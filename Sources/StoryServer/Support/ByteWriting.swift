import JSONText

extension [UInt8] {
  /// Appends a text's UTF-8.
  mutating func append(text: String) {
    var copy = text
    copy.withUTF8 { append(contentsOf: $0) }
  }

  /// Appends a number in decimal digits.
  mutating func append(number: some BinaryInteger) { append(text: String(number)) }

  /// Appends a text as a JSON string, quotes and escapes included.
  mutating func append(jsonString text: String) {
    append(contentsOf: JSONValue.string(text).compactBytes)
  }

  /// Appends a text as a JSON string, or `null`.
  mutating func append(jsonString text: String?) {
    if let text { append(jsonString: text) } else { append(text: "null") }
  }
}
