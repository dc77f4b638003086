public import JSONText

/// A story as a text file: its fields as front matter, then its content as prose.
///
/// ```
/// ---
/// title: The First Snow
/// hero: luna
/// language: en
/// ---
///
/// Luna woke up and the window was white.
/// ```
/// The prose is the content as it is, without any markup. One empty line after the front matter and one
/// line feed at the end of the file do not belong to it.
public struct StoryText: Sendable {
  /// The fields other than the content, by their keys in a record file; null for a field that is
  /// stated to be empty.
  public internal(set) var fields = JSONObject()
  /// The content, or `nil`.
  public internal(set) var content: String?
  /// The problems of fields that are ignored.
  public internal(set) var warnings: [Problem] = []
  /// The offsets of the fields' values in the text that was parsed.
  public internal(set) var offsets: [String: Int] = [:]

  static let schema = EntityKind.stories.schema

  init() {}

  /// Creates the text of a record. Members that are not fields are left out.
  ///
  /// - Throws: `Problem` if a value has the wrong type, so that it cannot be written as text.
  public init(_ file: RecordFile) throws(Problem) {
    let problems = file.problems(references: ReferenceTable())
    if let problem = problems.first(where: { $0.code == .type || $0.code == .ambiguous }) {
      throw problem
    }
    for field in Self.schema.fields {
      let member = field.keys.compactMap { file.document.root.member($0) }.first {
        $0.value.kind != .null
      }
      guard let member else {
        // A reader would take the title from elsewhere unless it is said to be empty.
        if field.isRequired, field.shape != .lines { fields[field.key] = .null }
        continue
      }
      switch field.shape {
      case .lines:
        let value = member.value.value
        content = value.string ?? value.array?.compactMap(\.string).joined(separator: "\n")
      case .integer:
        guard let number = member.value.number?.integer else {
          throw problems.first { $0.position == member.value.position }
            ?? Problem(
              .wrongType(member.name, .wholeNumber, found: member.value.kind), file: file.ref.path)
        }
        fields[member.name] = .number(number)
      default: fields[member.name] = member.value.value
      }
    }
  }

  /// Takes the title from a heading at the start of the content, which it removes there, or from
  /// `fallback`, unless the text has a title.
  public mutating func completeTitle(fallback: String?) {
    guard fields["title"] == nil else { return }
    if let content, let heading = Heading(content) {
      fields["title"] = .string(heading.title)
      self.content = heading.rest
    } else if let fallback {
      fields["title"] = .string(fallback)
    }
  }

  /// Removes empty lines at the start and the end of the content if `before` has none there: people
  /// leave them when they write above or below a text.
  public mutating func removeBlankEnds(addedTo before: StoryText) {
    guard let content, content != before.content else { return }
    let old = RecordFile.lines(of: before.content ?? "")
    let isUnwritten = old.allSatisfy(\.isBlankLine)
    var lines = RecordFile.lines(of: content)[...]
    if isUnwritten || !old[0].isBlankLine { lines = lines.drop(while: \.isBlankLine) }
    if isUnwritten || !old[old.count - 1].isBlankLine {
      while let last = lines.last, last.isBlankLine { lines.removeLast() }
    }
    self.content = lines.joined(separator: "\n")
  }

  /// The bytes of the file in canonical form: fields in the schema's order.
  public var bytes: [UInt8] {
    var text = "---\n"
    for key in Self.schema.keyOrder {
      guard let value = fields[key] else { continue }
      switch value {
      case .null: text += "\(key):\n"
      case .string(let string): text += "\(key): \(FrontMatter.written(string))\n"
      default: text += "\(key): \(value.compactText)\n"
      }
    }
    var bytes = Array((text + "---\n").utf8)
    if let content { bytes += [0x0A] + Array(content.utf8) + [0x0A] }
    return bytes
  }

  /// The fields and the content as values of a record; the content is one string.
  public var values: JSONObject {
    var values = fields
    if let content { values["content"] = .string(content) }
    return values
  }
}

extension StoryText: Equatable {
  /// Returns whether fields and content are the same, by Unicode scalars.
  public static func == (lhs: StoryText, rhs: StoryText) -> Bool {
    lhs.fields == rhs.fields
      && lhs.content.map { JSONValue.string($0) } == rhs.content.map { JSONValue.string($0) }
  }
}

/// A Markdown heading at the start of a text: `# Title`, or a title underlined with `=`.
private struct Heading {
  let title: String
  let rest: String

  init?(_ content: String) {
    var lines = RecordFile.lines(of: content)[...].drop(while: \.isBlankLine)
    guard let first = lines.popFirst() else { return nil }
    let marks = first.prefix { $0 == "#" }
    var title = Substring(first)
    if (1...6).contains(marks.count), first.dropFirst(marks.count).first?.isWhitespace == true {
      title = first.dropFirst(marks.count).trimmingEnd()
      let open = title.dropLast(title.reversed().prefix { $0 == "#" }.count)
      if open.last?.isWhitespace ?? true { title = open }
    } else if let line = lines.first, line.hasPrefix("=="), line.allSatisfy({ "= \t".contains($0) })
    {
      lines.removeFirst()
    } else {
      return nil
    }
    self.title = String(title.drop(while: \.isWhitespace).trimmingEnd())
    guard !self.title.isEmpty else { return nil }
    rest = lines.drop(while: \.isBlankLine).joined(separator: "\n")
  }
}

extension String {
  var isBlankLine: Bool { allSatisfy(\.isWhitespace) }
}

extension Substring {
  fileprivate func trimmingEnd() -> Substring {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return self[...last]
  }
}
