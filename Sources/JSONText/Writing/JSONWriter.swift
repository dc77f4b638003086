/// Appends values to a text, with an explicit stack of open containers.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Removes everything after the first `count` bytes.
  mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  // MARK: Containers

  /// An open container and the place of its next child.
  private struct OpenContainer {
    let value: JSONValue
    let isObject: Bool
    var place = 0

    /// Returns the next child, with its name in an object, or `nil` after the last one.
    mutating func next() -> (name: String?, value: JSONValue)? {
      defer { place += 1 }
      switch value {
      case .array(let elements) where place < elements.count: return (nil, elements[place])
      case .object(let object) where place < object.count:
        return (object.members[place].key, object.members[place].value)
      default: return nil
      }
    }
  }

  /// Writes a value on one line, or with `block` over several, starting in a line that begins with
  /// the `lead` of that style.
  ///
  /// With `isBroken`, an array has a line for each element, however short.
  mutating func write(
    _ value: JSONValue, inline: InlineStyle, block: BlockStyle? = nil, isBroken: Bool = false
  ) {
    guard var container = begin(value, inline: inline, block: block, isBroken: isBroken) else {
      return
    }
    var outer: [OpenContainer] = []
    while true {
      let padding = container.isObject ? inline.objectPadding : inline.arrayPadding
      if let (name, child) = container.next() {
        let isFirst = container.place == 1
        if let block {
          if !isFirst { append(UInt8(ascii: ",")) }
          breakLine(block, depth: outer.count + 1)
        } else {
          append(isFirst ? padding : inline.comma)
        }
        if let name {
          writeString(name)
          append(block?.colon ?? inline.colon)
        }
        let isBroken = name.flatMap { block?.brokenArrays.contains($0) } ?? false
        if let inner = begin(child, inline: inline, block: block, isBroken: isBroken) {
          outer.append(container)
          container = inner
        }
        continue
      }
      if let block { breakLine(block, depth: outer.count) } else { append(padding) }
      append(UInt8(ascii: container.isObject ? "}" : "]"))
      guard let next = outer.popLast() else { return }
      container = next
    }
  }

  /// Writes a value that fits on the current line, or opens a container and returns it.
  private mutating func begin(
    _ value: JSONValue, inline: InlineStyle, block: BlockStyle?, isBroken: Bool
  ) -> OpenContainer? {
    switch value {
    case .array([]): append("[]".utf8)
    case .array(let elements):
      if !isBroken, let block, writeOnOneLine(elements, block) { return nil }
      append(UInt8(ascii: "["))
      return OpenContainer(value: value, isObject: false)
    case .object(let object):
      if object.isEmpty {
        append("{}".utf8)
      } else {
        append(UInt8(ascii: "{"))
        return OpenContainer(value: value, isObject: true)
      }
    case .null: append("null".utf8)
    case .bool(let bool): append((bool ? "true" : "false").utf8)
    case .number(let number): append(number.literal.utf8)
    case .string(let string): writeString(string)
    }
    return nil
  }

  private mutating func breakLine(_ style: BlockStyle, depth: Int) {
    append(style.lineEnd)
    append(style.lead)
    for _ in 0..<depth { append(style.indent) }
  }

  /// Writes an array of scalars if it fits on the line, or returns `false`.
  private mutating func writeOnOneLine(_ elements: [JSONValue], _ style: BlockStyle) -> Bool {
    let start = bytes.count
    append(UInt8(ascii: "["))
    append(style.inline.arrayPadding)
    for (place, element) in elements.enumerated() {
      // A Unicode scalar has at most four bytes, so a line beyond this is too long.
      guard element.array == nil, element.object == nil,
        bytes.count - start <= 4 * style.lineWidth
      else {
        truncate(to: start)
        return false
      }
      if place > 0 { append(style.inline.comma) }
      write(element, inline: style.inline)
    }
    append(style.inline.arrayPadding)
    append(UInt8(ascii: "]"))
    if lastLineFits(in: style.lineWidth) { return true }
    truncate(to: start)
    return false
  }

  // MARK: Members

  /// Writes the comma before a member of an object on one line, unless it is the first.
  mutating func separateMember() {
    if bytes.last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
  }

  /// Writes everything before the value of a member of an object on one line.
  mutating func beginMember(_ name: String) {
    separateMember()
    writeString(name)
    append(UInt8(ascii: ":"))
  }

  // MARK: The last line

  var lastLineLead: [UInt8] { Array(WhiteSpace.lead(ofLineAt: bytes.count, in: bytes)) }

  /// Returns whether the last line, with a trailing comma, has at most `width` Unicode scalars.
  func lastLineFits(in width: Int) -> Bool {
    WhiteSpace.lineFits(upTo: bytes.count, in: bytes, width: width)
  }

  // MARK: Strings

  /// Writes a string with only the escapes that RFC 8259, section 7, requires.
  mutating func writeString(_ string: String) {
    append(UInt8(ascii: "\""))
    var copy = string
    copy.withUTF8 { text in
      var plain = 0
      while true {
        let end = StringText.firstSpecial(in: text, from: plain, stopsAtNonASCII: false)
        append(UnsafeBufferPointer(rebasing: text[plain..<end]))
        guard end < text.count else { break }
        writeEscape(of: text[end])
        plain = end + 1
      }
    }
    append(UInt8(ascii: "\""))
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
    default: append("u\(hexadecimal(byte, digits: 4))".utf8)
    }
  }
}
