/// Operations on white space (RFC 8259, section 2).
enum WhiteSpace {
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the start of the last line in `bytes`, or `nil` if there is no line end.
  static func lastLineStart(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.lastIndex(where: isLineEnd).map { $0 + 1 }
  }

  /// Returns the line that contains `offset` up to there, without any byte order mark.
  static func line(upTo offset: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
    text.withUnsafeBufferPointer { bytes in
      var start = offset
      while start > 0, !isLineEnd(bytes[start - 1]) { start -= 1 }
      return text[(start == 0 ? min(JSONParser.bomLength(bytes), offset) : start)..<offset]
    }
  }

  /// Returns the spaces and tabs at the start of the line that contains `offset`.
  static func lead(ofLineAt offset: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
    line(upTo: offset, in: text).prefix { $0 == 0x20 || $0 == 0x09 }
  }

  /// Returns whether the line up to `offset`, with a trailing comma, has at most `width` Unicode
  /// scalars.
  static func lineFits(upTo offset: Int, in text: [UInt8], width: Int) -> Bool {
    var count = 1
    for byte in line(upTo: offset, in: text) where byte & 0xC0 != 0x80 { count += 1 }
    return count <= width
  }
}
