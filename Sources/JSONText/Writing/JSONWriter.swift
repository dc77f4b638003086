/// Appends values to a text, keeping open containers on a stack of its own.
struct JSONWriter {
  /// The text so far.
  private(set) var bytes: [UInt8] = []

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Takes back everything behind the first `count` bytes.
  mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

  /// Writes a value on one line.
  mutating func write(_ value: JSONValue, inline style: InlineStyle) {
    write(value, inline: style, block: nil, isBroken: false)
  }

  /// Writes a value over lines; it starts in the line that the style’s `lead` begins.
  ///
  /// With `isBroken` an array takes a line for each element, however short it is.
  mutating func write(_ value: JSONValue, block style: BlockStyle, isBroken: Bool = false) {
    write(value, inline: style.inline, block: style, isBroken: isBroken)
  }

  // MARK: Containers

  /// A container that has been opened, and the next of its children to write.
  private enum OpenContainer {
    case array([JSONValue], next: Int)
    case object([JSONObject.Member], next: Int)
  }

  private mutating func write(
    _ value: JSONValue, inline: InlineStyle, block: BlockStyle?, isBroken: Bool
  ) {
    var open: [OpenContainer] = []
    if let root = begin(value, inline: inline, block: block, isBroken: isBroken) {
      open.append(root)
    }
    containers: while let container = open.popLast() {
      let depth = open.count + 1
      switch container {
      case .array(let elements, var next):
        while next < elements.count {
          separate(isFirst: next == 0, inline.comma, inline.arrayPadding, block, depth: depth)
          next += 1
          if let inner = begin(elements[next - 1], inline: inline, block: block, isBroken: false) {
            open.append(.array(elements, next: next))
            open.append(inner)
            continue containers
          }
        }
        end(UInt8(ascii: "]"), inline.arrayPadding, block, depth: depth - 1)
      case .object(let members, var next):
        while next < members.count {
          separate(isFirst: next == 0, inline.comma, inline.objectPadding, block, depth: depth)
          let name = members[next].key
          writeString(name)
          append(block?.colon ?? inline.colon)
          let isBroken = block?.brokenArrays.contains(name) ?? false
          next += 1
          if let inner = begin(
            members[next - 1].value, inline: inline, block: block, isBroken: isBroken)
          {
            open.append(.object(members, next: next))
            open.append(inner)
            continue containers
          }
        }
        end(UInt8(ascii: "}"), inline.objectPadding, block, depth: depth - 1)
      }
    }
  }

  /// Writes a value that takes no lines of its own, or opens a container and returns it.
  @inline(__always)
  private mutating func begin(
    _ value: JSONValue, inline: InlineStyle, block: BlockStyle?, isBroken: Bool
  ) -> OpenContainer? {
    switch value {
    case .null: append("null".utf8)
    case .bool(let bool): append((bool ? "true" : "false").utf8)
    case .number(let number): append(number.literal.utf8)
    case .string(let string): writeString(string)
    case .array(let elements):
      if elements.isEmpty {
        append("[]".utf8)
      } else if isBroken || !writeOnOneLine(elements, block) {
        append(UInt8(ascii: "["))
        return .array(elements, next: 0)
      }
    case .object(let object):
      if object.isEmpty {
        append("{}".utf8)
      } else {
        append(UInt8(ascii: "{"))
        return .object(object.members, next: 0)
      }
    }
    return nil
  }

  /// Writes what stands in front of a child.
  @inline(__always)
  private mutating func separate(
    isFirst: Bool, _ comma: [UInt8], _ padding: [UInt8], _ block: BlockStyle?, depth: Int
  ) {
    guard let block else {
      append(isFirst ? padding : comma)
      return
    }
    if !isFirst { append(UInt8(ascii: ",")) }
    breakLine(block, depth: depth)
  }

  private mutating func end(
    _ bracket: UInt8, _ padding: [UInt8], _ block: BlockStyle?, depth: Int
  ) {
    if let block { breakLine(block, depth: depth) } else { append(padding) }
    append(bracket)
  }

  private mutating func breakLine(_ style: BlockStyle, depth: Int) {
    append(style.lineEnd)
    append(style.lead)
    for _ in 0..<depth { append(style.indent) }
  }

  /// Writes an array of scalars if it fits on the line; else writes nothing and says `false`.
  private mutating func writeOnOneLine(_ elements: [JSONValue], _ style: BlockStyle?) -> Bool {
    guard let style else { return false }
    for element in elements where element.isContainer { return false }
    let start = bytes.count
    append(UInt8(ascii: "["))
    append(style.inline.arrayPadding)
    for (place, element) in elements.enumerated() {
      if place > 0 { append(style.inline.comma) }
      _ = begin(element, inline: style.inline, block: nil, isBroken: false)
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
