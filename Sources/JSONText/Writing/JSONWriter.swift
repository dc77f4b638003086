/// Appends values to a text, with an explicit stack of open containers.
struct JSONWriter {
  /// The text so far.
  private(set) var bytes: [UInt8] = []

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Removes everything after the first `count` bytes.
  mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  mutating func write(_ value: some WritableValue, inline style: InlineStyle) {
    write(value, inline: style, block: nil, isBroken: false)
  }

  /// Writes a value over several lines, starting in a line that begins with the style's `lead`.
  ///
  /// With `isBroken`, an array has a line for each element, however short.
  mutating func write(_ value: some WritableValue, block style: BlockStyle, isBroken: Bool = false)
  {
    write(value, inline: style.inline, block: style, isBroken: isBroken)
  }

  // MARK: Containers

  /// An open container and its remaining children.
  private struct OpenContainer<Children: WritableChildren> {
    var children: Children
    var isFirst = true
  }

  /// The stack of outer containers. Most values have only one, which needs no allocation.
  private struct OpenContainers<Children: WritableChildren> {
    private var first: OpenContainer<Children>?
    private var others: [OpenContainer<Children>] = []

    var count: Int { first == nil ? 0 : others.count + 1 }

    mutating func push(_ container: OpenContainer<Children>) {
      if first == nil { first = container } else { others.append(container) }
    }

    mutating func pop() -> OpenContainer<Children>? { others.popLast() ?? first.take() }
  }

  private mutating func write<Value: WritableValue>(
    _ value: Value, inline: InlineStyle, block: BlockStyle?, isBroken: Bool
  ) {
    guard
      var container: OpenContainer<Value.Children> = begin(
        value, inline: inline, block: block, isBroken: isBroken)
    else { return }
    var outer = OpenContainers<Value.Children>()
    while true {
      let isObject = container.children.isObject
      let padding = isObject ? inline.objectPadding : inline.arrayPadding
      var inner: OpenContainer<Value.Children>?
      while inner == nil, let child = container.children.next() {
        separate(
          isFirst: container.isFirst, inline.comma, padding, block, depth: outer.count + 1)
        container.isFirst = false
        var isBroken = false
        if isObject {
          container.children.appendName(to: &self)
          append(block?.colon ?? inline.colon)
          if let block, !block.brokenArrays.isEmpty {
            isBroken = block.brokenArrays.contains(container.children.name)
          }
        }
        inner = begin(child, inline: inline, block: block, isBroken: isBroken)
      }
      if let inner {
        outer.push(container)
        container = inner
        continue
      }
      end(UInt8(ascii: isObject ? "}" : "]"), padding, block, depth: outer.count)
      guard let next = outer.pop() else { return }
      container = next
    }
  }

  /// Writes a value that fits on the current line, or opens a container and returns it.
  @inline(__always)
  private mutating func begin<Value: WritableValue>(
    _ value: Value, inline: InlineStyle, block: BlockStyle?, isBroken: Bool
  ) -> OpenContainer<Value.Children>? {
    guard let children = value.children else {
      value.appendScalar(to: &self)
      return nil
    }
    if children.isEmpty {
      append((children.isObject ? "{}" : "[]").utf8)
      return nil
    }
    if !children.isObject, !isBroken, let block, writeOnOneLine(children, block) { return nil }
    append(UInt8(ascii: children.isObject ? "{" : "["))
    return OpenContainer(children: children)
  }

  /// Writes the separator before a child.
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

  /// Writes an array of scalars if it fits on the line, or returns `false`.
  private mutating func writeOnOneLine<Children: WritableChildren>(
    _ elements: Children, _ style: BlockStyle
  ) -> Bool where Children.Value: WritableValue {
    var elements = elements
    let start = bytes.count
    append(UInt8(ascii: "["))
    append(style.inline.arrayPadding)
    var isFirst = true
    while let element = elements.next() {
      // A Unicode scalar has at most four bytes, so a line beyond this is too long.
      guard element.children == nil, bytes.count - start <= 4 * style.lineWidth else {
        truncate(to: start)
        return false
      }
      if !isFirst { append(style.inline.comma) }
      isFirst = false
      element.appendScalar(to: &self)
    }
    append(style.inline.arrayPadding)
    append(UInt8(ascii: "]"))
    if lastLineFits(in: style.lineWidth) { return true }
    truncate(to: start)
    return false
  }

  // MARK: The last line

  /// The offset at which the last line starts, after any byte order mark.
  var lastLineStart: Int {
    bytes.withUnsafeBufferPointer { text in
      var start = text.count
      while start > 0, text[start - 1] != 0x0A, text[start - 1] != 0x0D { start -= 1 }
      return start == 0 ? JSONParser.bomLength(text) : start
    }
  }

  var lastLineLead: [UInt8] {
    Array(bytes[lastLineStart...].prefix { $0 == 0x20 || $0 == 0x09 })
  }

  /// Returns whether the last line, with a trailing comma, has at most `width` Unicode scalars.
  func lastLineFits(in width: Int) -> Bool {
    var count = 1
    for byte in bytes[lastLineStart...] where byte & 0xC0 != 0x80 { count += 1 }
    return count <= width
  }

  // MARK: Strings

  /// Writes a string with only the escapes that RFC 8259, section 7, requires.
  mutating func writeString(_ string: String) {
    var copy = string
    copy.withUTF8 { writeString($0, mayNeedEscapes: true) }
  }

  /// Writes a string given as UTF-8.
  mutating func writeString(_ text: UnsafeBufferPointer<UInt8>, mayNeedEscapes: Bool) {
    append(UInt8(ascii: "\""))
    var plain = 0
    while mayNeedEscapes {
      let end = StringText.firstSpecial(in: text, from: plain, stopsAtNonASCII: false)
      guard end < text.count else { break }
      append(UnsafeBufferPointer(rebasing: text[plain..<end]))
      writeEscape(of: text[end])
      plain = end + 1
    }
    append(UnsafeBufferPointer(rebasing: text[plain...]))
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
    default:
      append("u00".utf8)
      append(byte >> 4 + UInt8(ascii: "0"))
      let low = byte & 15
      append(low < 10 ? low + UInt8(ascii: "0") : low - 10 + UInt8(ascii: "a"))
    }
  }
}
