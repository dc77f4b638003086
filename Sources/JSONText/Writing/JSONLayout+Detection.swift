extension JSONDocument {
  /// The layout of this text, determined by its first indentation, line end and colon. Anything
  /// that does not occur in it is as in the canonical ``JSONLayout``.
  ///
  /// This reads the text until all have been found, which takes time proportional to its length.
  public var layout: JSONLayout {
    LayoutDetection(storage).layout
  }
}

/// Detects the layout of a text, for new parts of it.
struct LayoutDetection {
  private let text: [UInt8]
  private let entries: [JSONNode.Entry]

  init(_ storage: JSONDocument.Storage) {
    text = storage.bytes
    entries = storage.entries
  }

  var layout: JSONLayout {
    var layout = JSONLayout()
    if let indent { layout.indent = String(decoding: indent, as: UTF8.self) }
    if let lineEnd { layout.lineEnd = lineEnd }
    if let colon { layout.colon = String(decoding: colon, as: UTF8.self) }
    return layout
  }

  /// The style of arrays and objects on one line.
  var inlineStyle: InlineStyle {
    let colon = colon.map(Array.init) ?? InlineStyle.spaced.colon
    // Without a space after colons, commas are not followed by one either.
    let comma = comma.map(Array.init)
    let isTight = colon == InlineStyle.compact.colon
    return InlineStyle(
      comma: comma ?? (isTight ? InlineStyle.compact : InlineStyle.spaced).comma, colon: colon,
      arrayPadding: padding(of: .array).map(Array.init) ?? [],
      objectPadding: padding(of: .object).map(Array.init) ?? [])
  }

  private var lineEnd: String? {
    guard let first = text.firstIndex(where: WhiteSpace.isLineEnd) else { return nil }
    if text[first] == 0x0A { return "\n" }
    return first + 1 < text.count && text[first + 1] == 0x0A ? "\r\n" : "\r"
  }

  /// The indentation of the first child on a line of its own, relative to its container's line.
  private var indent: ArraySlice<UInt8>? {
    for index in entries.indices where isFilled(index) {
      let gap = leadGap(index)
      guard let lineStart = WhiteSpace.lastLineStart(in: gap) else { continue }
      let inner = gap[lineStart...]
      let outer = WhiteSpace.lead(ofLineAt: Int(entries[index].start), in: text)
      if inner.starts(with: outer) { return inner.dropFirst(outer.count) }
    }
    return nil
  }

  private var colon: ArraySlice<UInt8>? {
    for index in entries.indices where entries[index].kind == .object && isFilled(index) {
      let gap = text[Int(entries[index + 1].end)..<Int(entries[index + 2].start)]
      if WhiteSpace.lastLineStart(in: gap) == nil { return gap }
    }
    return nil
  }

  /// The first comma, with the white space around it, that shares a line with both its neighbors.
  private var comma: ArraySlice<UInt8>? {
    for index in entries.indices where isFilled(index) {
      let nameEntries = entries[index].kind == .object ? 1 : 0
      let end = Int(entries[index].next)
      var child = index + 1
      while true {
        let value = child + nameEntries
        let next = Int(entries[value].next)
        guard next < end else { break }
        let gap = text[Int(entries[value].end)..<Int(entries[next].start)]
        if WhiteSpace.lastLineStart(in: gap) == nil { return gap }
        child = next
      }
    }
    return nil
  }

  /// Returns the white space inside the brackets of the first container of this type on one line.
  private func padding(of kind: JSONNode.Kind) -> ArraySlice<UInt8>? {
    for index in entries.indices where entries[index].kind == kind && isFilled(index) {
      let whole = text[Int(entries[index].start)..<Int(entries[index].end)]
      if WhiteSpace.lastLineStart(in: whole) == nil { return leadGap(index) }
    }
    return nil
  }

  /// Returns whether an entry is a container that is not empty.
  private func isFilled(_ index: Int) -> Bool { Int(entries[index].next) > index + 1 }

  /// Returns the text between a container's opening bracket and its first child.
  private func leadGap(_ index: Int) -> ArraySlice<UInt8> {
    text[Int(entries[index].start) + 1..<Int(entries[index + 1].start)]
  }
}
