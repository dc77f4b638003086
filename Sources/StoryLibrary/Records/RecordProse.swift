import JSONText

/// A record as readable text, which `git diff` compares instead of the JSON.
///
/// ```
/// title: The First Snow
/// hero: luna
///
/// content:
///
/// Luna woke up and the window was white.
/// ```
public enum RecordProse {
  /// Returns a record file as text: fields in schema order, other members, then long text as
  /// paragraphs.
  ///
  /// Git does not provide the path, so the kind is the one with the most matching fields. Anything
  /// but a record is returned as is. Either way, terminal control characters are escaped.
  public static func text(of bytes: [UInt8]) -> [UInt8] {
    guard let document = try? JSONDocument(parsing: bytes), document.root.kind == .object else {
      return visible(String(decoding: bytes, as: UTF8.self))
    }
    let members = document.root.members
    let schema = kind(of: members.map(\.name)).schema
    let places = Dictionary(
      schema.keyOrder.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let ordered = members.enumerated().sorted { left, right in
      let (first, second) = (places[left.element.name] ?? .max, places[right.element.name] ?? .max)
      return first == second ? left.offset < right.offset : first < second
    }
    var head = ""
    var tail = ""
    for (_, member) in ordered {
      let isLong = schema.brokenArrays.contains(member.name)
      if isLong, let lines = prose(member.value) {
        tail += "\n\(member.name):\n\n" + lines.map { $0 + "\n" }.joined()
      } else {
        head += "\(member.name): \(short(member.value))\n"
      }
    }
    return visible(head + tail)
  }

  /// Escapes control characters, because git passes the text on to a terminal as is.
  private static func visible(_ text: String) -> [UInt8] {
    Array(VisibleText.escapingLines(text).utf8)
  }

  private static func kind(of keys: [String]) -> EntityKind {
    func count(_ kind: EntityKind) -> Int {
      keys.count { kind.schema.fieldIndex(key: $0) != nil }
    }
    return EntityKind.allCases.max { count($0) < count($1) } ?? .stories
  }

  private static func prose(_ node: JSONNode) -> [String]? {
    if let text = node.string { return RecordFile.lines(of: text) }
    let lines = node.elements.compactMap(\.string).flatMap { RecordFile.lines(of: $0) }
    return node.kind == .array && node.elements.allSatisfy { $0.kind == .string } ? lines : nil
  }

  private static func short(_ node: JSONNode) -> String {
    if let text = node.string, !text.contains("\n") { return text }
    let words = node.elements.compactMap(\.string)
    if node.kind == .array, words.count == node.elements.count,
      !words.contains(where: { $0.contains("\n") || $0.contains(",") })
    {
      return words.joined(separator: ", ")
    }
    return node.value.compactText
  }
}
