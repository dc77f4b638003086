/// The parts of an array or object in a text: its children and the gaps between them.
///
/// For `n` children there are `n` gaps: the first is between the opening bracket and the first
/// child, and each of the others contains one comma. The `tail` is before the closing bracket.
struct ContainerParts {
  let text: [UInt8]
  let node: JSONNode
  /// The ranges of the children; in an object, from the name on.
  let ranges: [Range<Int>]
  let values: [JSONNode]
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

  /// Returns the gap before the child at `place`.
  func gap(_ place: Int) -> ArraySlice<UInt8> {
    let start = place == 0 ? node.range.lowerBound + 1 : ranges[place - 1].upperBound
    return text[start..<ranges[place].lowerBound]
  }

  /// The text before the closing bracket, from the last child or the opening bracket on.
  var tail: ArraySlice<UInt8> {
    text[(ranges.last?.upperBound ?? node.range.lowerBound + 1)..<node.range.upperBound - 1]
  }

  /// Returns the text between a member's name and its value.
  func colon(_ place: Int) -> ArraySlice<UInt8> {
    let name = JSONNode(document: node.document, index: values[place].index - 1)
    return text[name.range.upperBound..<values[place].range.lowerBound]
  }

  var spansLines: Bool { Self.hasLineEnd(text[node.range]) }

  /// Returns whether the child at `place`, among children with these gaps, shares its line with a
  /// neighbor or, if it is the only child, with both brackets.
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
