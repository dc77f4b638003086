/// An array or object of a text, taken apart into its children and the gaps between them.
///
/// With `n` children there are `n` gaps: the first stands between the opening bracket and the first
/// child, the others each hold one comma. What stands in front of the closing bracket is the `tail`.
struct ContainerParts {
  let text: [UInt8]
  let node: JSONNode
  /// The children's bytes, in an object from the name on.
  let ranges: [Range<Int>]
  /// The children's values.
  let values: [JSONNode]
  /// The names of an object's members.
  let names: [String]

  init(_ node: JSONNode) {
    text = node.document.bytes
    self.node = node
    if node.kind == .object {
      let members = node.members
      ranges = members.map(\.range)
      values = members.map(\.value)
      names = members.map(\.name)
    } else {
      values = node.elements
      ranges = values.map(\.range)
      names = []
    }
  }

  var count: Int { ranges.count }

  /// What stands in front of the child at `place`.
  func gap(_ place: Int) -> ArraySlice<UInt8> {
    let start = place == 0 ? node.range.lowerBound + 1 : ranges[place - 1].upperBound
    return text[start..<ranges[place].lowerBound]
  }

  /// What stands between the last child, or the opening bracket, and the closing bracket.
  var tail: ArraySlice<UInt8> {
    text[(ranges.last?.upperBound ?? node.range.lowerBound + 1)..<node.range.upperBound - 1]
  }

  /// What stands between a member's name and its value.
  func colon(_ place: Int) -> ArraySlice<UInt8> {
    let name = JSONNode(document: node.document, index: values[place].index - 1)
    return text[name.range.upperBound..<values[place].range.lowerBound]
  }

  func place(of name: String) -> Int? {
    names.firstIndex { sameScalars($0, name) }
  }

  /// Whether the container takes more than one line.
  var spansLines: Bool { Self.hasLineEnd(text[node.range]) }

  /// Whether the child at `place` shares its line with a neighbour or with both brackets.
  func isInline(_ place: Int) -> Bool {
    Self.isInline(place, of: (0..<count).map(gap), tail: tail)
  }

  /// Whether the child at `place` of those with these gaps shares its line with a neighbour, or,
  /// where it has none, with both brackets.
  static func isInline(
    _ place: Int, of gaps: [some Collection<UInt8>], tail: some Collection<UInt8>
  ) -> Bool {
    if gaps.count == 1 { return !hasLineEnd(gaps[0]) && !hasLineEnd(tail) }
    return place > 0 && !hasLineEnd(gaps[place])
      || place + 1 < gaps.count && !hasLineEnd(gaps[place + 1])
  }

  static func hasLineEnd(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.contains(where: WhiteSpace.isLineEnd)
  }
}
