public import JSONText

extension RecordFile {
  /// A line of a record with matches of a search.
  public struct Match: Sendable {
    /// The field.
    public let field: Field
    /// The line, within the field's text or list.
    public let line: TextSearch.Line
    /// The offset of its JSON string in the file.
    fileprivate let offset: Int
  }

  /// Returns the matches in titles, lists and texts, in the file's order, if every term occurs in
  /// one of them; otherwise an empty array.
  public func matches(of search: TextSearch) -> [Match] {
    var found = TextSearch.Found(search)
    var matches: [Match] = []
    for member in document.root.members {
      guard let field = ref.kind.schema.field(key: member.name), field.shape.isSearched
      else { continue }
      let texts = member.value.kind == .array ? member.value.elements : [member.value]
      var index = 0
      for node in texts {
        guard let text = node.string else { continue }
        for line in Self.lines(of: text) {
          let ranges = search.matches(in: line, &found)
          if !ranges.isEmpty {
            matches.append(
              Match(
                field: field, line: TextSearch.Line(index: index, text: line, matches: ranges),
                offset: node.range.lowerBound))
          }
          index += 1
        }
      }
    }
    return found.isComplete ? matches : []
  }

  /// Returns the line and column of a match's text in the file.
  public func position(of match: Match) -> TextPosition { document.position(at: match.offset) }
}

extension Field.Shape {
  fileprivate var isSearched: Bool {
    switch self {
    case .text, .lines, .phrases, .list: true
    case .choice, .integer, .number, .boolean, .reference: false
    }
  }
}
