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
    let schema = ref.kind.schema
    var texts: [String] = []
    var origins: [(field: Int, index: Int, offset: Int)] = []
    for member in document.root.members {
      guard let field = schema.fieldIndex(key: member.name), schema.fields[field].shape.isSearched
      else { continue }
      let nodes = member.value.kind == .array ? member.value.elements : [member.value]
      var index = 0
      for node in nodes {
        for text in node.string.map(Self.lines) ?? [] {
          texts.append(text)
          origins.append((field, index, node.range.lowerBound))
          index += 1
        }
      }
    }
    return search.lines(in: texts).map { found in
      let origin = origins[found.index]
      var line = found
      line.index = origin.index
      return Match(field: schema.fields[origin.field], line: line, offset: origin.offset)
    }
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
