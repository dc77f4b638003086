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
    guard case .object(let object)? = try? JSONValue(parsing: bytes) else {
      return visible(String(decoding: bytes, as: UTF8.self))
    }
    let schema = kind(of: object.keys).schema
    var head = ""
    var tail = ""
    for member in object.ordered(by: schema.keyOrder).members {
      let isLong = schema.brokenArrays.contains(member.key)
      if isLong, let texts = member.value.string.map({ [$0] }) ?? member.value.strings {
        let lines = texts.flatMap(RecordFile.lines)
        tail += "\n\(member.key):\n\n" + lines.map { $0 + "\n" }.joined()
      } else {
        head += "\(member.key): \(short(member.value))\n"
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

  private static func short(_ value: JSONValue) -> String {
    if let text = value.string, !text.contains("\n") { return text }
    if let words = value.strings,
      !words.contains(where: { $0.contains("\n") || $0.contains(",") })
    {
      return words.joined(separator: ", ")
    }
    return value.compactText
  }
}
