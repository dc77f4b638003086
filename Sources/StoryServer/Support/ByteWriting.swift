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

/// Bytes in hexadecimal digits, lower case.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var result: [UInt8] = []
  for byte in bytes {
    result.append(digits[Int(byte >> 4)])
    result.append(digits[Int(byte & 15)])
  }
  return String(decoding: result, as: UTF8.self)
}

/// The value of a hexadecimal digit, `nil` for another byte.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x61...0x66: byte - 0x61 + 10
  case 0x41...0x46: byte - 0x41 + 10
  default: nil
  }
}
