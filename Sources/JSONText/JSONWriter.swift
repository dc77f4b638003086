/// Appends values to a text. Recursion is as deep as the value nests.
struct JSONWriter {
  /// The text so far.
  private(set) var bytes: [UInt8] = []

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Takes back everything behind the first `count` bytes.
  mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

  // MARK: On one line

  mutating func write(_ value: JSONValue, inline style: InlineStyle) {
    switch value {
    case .null: append("null".utf8)
    case .bool(let bool): append((bool ? "true" : "false").utf8)
    case .number(let number): append(number.literal.utf8)
    case .string(let string): writeString(string)
    case .array(let elements): write(elements, inline: style)
    case .object(let object): write(object, inline: style)
    }
  }

  private mutating func write(_ elements: [JSONValue], inline style: InlineStyle) {
    append(UInt8(ascii: "["))
    if !elements.isEmpty { append(style.arrayPadding) }
    var isFirst = true
    for element in elements {
      if !isFirst { append(style.comma) }
      isFirst = false
      write(element, inline: style)
    }
    if !elements.isEmpty { append(style.arrayPadding) }
    append(UInt8(ascii: "]"))
  }

  private mutating func write(_ object: JSONObject, inline style: InlineStyle) {
    append(UInt8(ascii: "{"))
    if !object.isEmpty { append(style.objectPadding) }
    var isFirst = true
    for member in object.members {
      if !isFirst { append(style.comma) }
      isFirst = false
      writeString(member.key)
      append(style.colon)
      write(member.value, inline: style)
    }
    if !object.isEmpty { append(style.objectPadding) }
    append(UInt8(ascii: "}"))
  }

  // MARK: Over lines

  /// Writes a value that belongs `depth` levels deeper than the line on which `style` begins.
  ///
  /// With `isBroken` an array takes a line for each element, however short it is.
  mutating func write(_ value: JSONValue, block style: BlockStyle, depth: Int, isBroken: Bool) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      if isBroken || !writeOnOneLine(elements, style: style) {
        write(elements, block: style, depth: depth)
      }
    case .object(let object) where !object.isEmpty:
      write(object, block: style, depth: depth)
    default: write(value, inline: style.inline)
    }
  }

  private mutating func write(_ elements: [JSONValue], block style: BlockStyle, depth: Int) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      breakLine(style, depth: depth + 1)
      write(element, block: style, depth: depth + 1, isBroken: false)
    }
    breakLine(style, depth: depth)
    append(UInt8(ascii: "]"))
  }

  private mutating func write(_ object: JSONObject, block style: BlockStyle, depth: Int) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    for member in object.members {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      breakLine(style, depth: depth + 1)
      writeString(member.key)
      append(style.colon)
      write(
        member.value, block: style, depth: depth + 1,
        isBroken: style.brokenArrays.contains(member.key))
    }
    breakLine(style, depth: depth)
    append(UInt8(ascii: "}"))
  }

  private mutating func breakLine(_ style: BlockStyle, depth: Int) {
    append(style.lineEnd)
    append(style.lead)
    for _ in 0..<depth { append(style.indent) }
  }

  /// Writes an array of scalars if it fits on the line; else writes nothing and says `false`.
  private mutating func writeOnOneLine(_ elements: [JSONValue], style: BlockStyle) -> Bool {
    for element in elements {
      switch element {
      case .array, .object: return false
      default: break
      }
    }
    let start = bytes.count
    append(UInt8(ascii: "["))
    append(style.inline.arrayPadding)
    var isFirst = true
    for element in elements {
      if !isFirst { append(style.inline.comma) }
      isFirst = false
      write(element, inline: style.inline)
      // A scalar takes at most four bytes: the line is too long already.
      if bytes.count - start > 4 * style.lineWidth { break }
    }
    append(style.inline.arrayPadding)
    append(UInt8(ascii: "]"))
    if lastLineFits(in: style.lineWidth) { return true }
    truncate(to: start)
    return false
  }

  // MARK: The last line

  /// Where the last line of the text starts; behind the byte order mark on the first line.
  var lastLineStart: Int {
    bytes.withUnsafeBufferPointer { text in
      var start = text.count
      while start > 0, text[start - 1] != 0x0A, text[start - 1] != 0x0D { start -= 1 }
      return start == 0 ? JSONParser.bomLength(text) : start
    }
  }

  /// The spaces and tabs at the start of the last line.
  var lastLineLead: [UInt8] {
    Array(bytes[lastLineStart...].prefix { $0 == 0x20 || $0 == 0x09 })
  }

  /// Whether the last line, with a comma behind it, takes at most `width` Unicode scalars.
  func lastLineFits(in width: Int) -> Bool {
    var count = 1
    for byte in bytes[lastLineStart...] where byte & 0xC0 != 0x80 { count += 1 }
    return count <= width
  }

  // MARK: Strings

  /// Writes a string with the escapes that RFC 8259 section 7 requires and no others.
  mutating func writeString(_ string: String) {
    var copy = string
    copy.withUTF8 { text in
      append(UInt8(ascii: "\""))
      var plain = 0
      while true {
        let end = StringText.firstSpecial(in: text, from: plain, stopsAtNonASCII: false)
        append(UnsafeBufferPointer(rebasing: text[plain..<end]))
        guard end < text.count else { break }
        writeEscape(of: text[end])
        plain = end + 1
      }
      append(UInt8(ascii: "\""))
    }
  }

  private mutating func writeEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x22, 0x5C: append(byte)
    default:
      append("u00".utf8)
      append(byte >> 4 + UInt8(ascii: "0"))
      let low = byte & 15
      append(low < 10 ? low + UInt8(ascii: "0") : low - 10 + UInt8(ascii: "a"))
    }
  }
}
