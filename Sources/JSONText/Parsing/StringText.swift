/// Scans strings and resolves the escapes of RFC 8259, section 7.
enum StringText {
  /// Returns the first offset from `start` on with a quote, a backslash, a control character or,
  /// with `stopsAtNonASCII`, a non-ASCII byte, or the end of the text.
  @inline(__always)
  static func firstSpecial(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, stopsAtNonASCII: Bool
  ) -> Int {
    guard let base = UnsafeRawPointer(text.baseAddress) else { return start }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var offset = start
    // Eight bytes at a time. A subtraction borrows from the next higher byte only if the lower one
    // matches, so the lowest high bit that is set is exact.
    while offset + 8 <= text.count {
      let word = UInt64(littleEndian: (base + offset).loadUnaligned(as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let found = (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)
      let special = (stopsAtNonASCII ? found | word : found & ~word) & high
      if special != 0 { return offset + special.trailingZeroBitCount >> 3 }
      offset += 8
    }
    while offset < text.count {
      let byte = text[offset]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || (stopsAtNonASCII && byte >= 0x80) {
        return offset
      }
      offset += 1
    }
    return offset
  }

  /// Writes a string's bytes with its escapes resolved. The syntax must be valid.
  ///
  /// - Parameter result: A buffer with at least the capacity of `content`, which is always enough.
  /// - Returns: The number of bytes written.
  static func unescape(
    _ content: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    var index = 0
    func append(_ byte: UInt8) {
      result.initializeElement(at: count, to: byte)
      count += 1
    }
    while true {
      // Only a backslash can stop the search: the parser has rejected all other special bytes.
      let backslash = firstSpecial(in: content, from: index, stopsAtNonASCII: false)
      let plain = UnsafeBufferPointer(rebasing: content[index..<backslash])
      _ = UnsafeMutableBufferPointer(rebasing: result[count...]).initialize(fromContentsOf: plain)
      count += plain.count
      guard backslash + 1 < content.count else { return count }
      index = backslash + 2
      switch content[backslash + 1] {
      case UInt8(ascii: "b"): append(0x08)
      case UInt8(ascii: "f"): append(0x0C)
      case UInt8(ascii: "n"): append(0x0A)
      case UInt8(ascii: "r"): append(0x0D)
      case UInt8(ascii: "t"): append(0x09)
      case UInt8(ascii: "u"):
        var scalar = UInt32(codeUnit(in: content, at: index) ?? 0xFFFD)
        index += 4
        if case 0xD800...0xDBFF = scalar {
          let low = UInt32(codeUnit(in: content, at: index + 2) ?? 0xDC00)
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
          index += 6
        }
        for byte in String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8 { append(byte) }
      case let byte: append(byte)
      }
    }
  }

  /// Returns the value of the four hexadecimal digits at `offset`, or `nil` if they are not digits.
  static func codeUnit(in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> UInt16? {
    guard offset + 4 <= text.count else { return nil }
    var unit: UInt16 = 0
    for byte in text[offset..<offset + 4] {
      switch byte {
      case 0x30...0x39: unit = unit << 4 | UInt16(byte - 0x30)
      case 0x61...0x66: unit = unit << 4 | UInt16(byte - 0x61 + 10)
      case 0x41...0x46: unit = unit << 4 | UInt16(byte - 0x41 + 10)
      default: return nil
      }
    }
    return unit
  }
}
