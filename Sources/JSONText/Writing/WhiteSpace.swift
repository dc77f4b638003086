/// Operations on white space (RFC 8259, section 2).
enum WhiteSpace {
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the start of the last line in `bytes`, or `nil` if there is no line end.
  static func lastLineStart(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.lastIndex(where: isLineEnd).map { $0 + 1 }
  }

  /// Returns the spaces and tabs at the start of the line that contains `offset`.
  static func lead(ofLineAt offset: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
    var start = offset
    while start > 0, !isLineEnd(text[start - 1]) { start -= 1 }
    if start == 0 { start = text.withUnsafeBufferPointer(JSONParser.bomLength) }
    var end = start
    while end < offset, text[end] == 0x20 || text[end] == 0x09 { end += 1 }
    return text[start..<max(start, end)]
  }
}
