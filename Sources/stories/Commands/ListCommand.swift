import JSONText
import StoryLibrary

/// `stories list`: the records of the library.
struct ListCommand: Command {
  /// A kind to list, by its folder or its noun.
  struct Kind: ArgumentValue {
    var kind: EntityKind

    static let choices = EntityKind.allCases.map(\.rawValue)

    static func parse(_ word: String) throws(ValueProblem) -> Kind {
      guard let kind = EntityKind(named: word) else { throw .oneOf(choices, not: word) }
      return Kind(kind: kind)
    }
  }

  var kind: Kind?

  static let name = "list"
  static let summary = "List the records of the library"
  static let section = HelpSection.records
  static let discussion = """
    Lists the name and title of each record, with the two letters of `stories status` if it is not \
    in sync. Pictures of stories, which the server makes, are listed only if you ask for them.
    """
  static let examples = [
    Example("stories list", "heroes, events and stories"),
    Example("stories list stories", "only the stories"),
    Example("stories list illustrations", "the pictures of all stories"),
  ]
  static let parameters: [Parameter<ListCommand>] = [
    .argument("KIND", \.kind, help: "The kind (default: heroes, events and stories)")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let isReadOnly = kind?.kind.schema.isReadOnly ?? false
    let scan = try context.scan(
      library, kinds: isReadOnly ? EntityKind.allCases : EntityKind.writable)
    let entries = scan.entries.filter { kind == nil || $0.ref.kind == kind?.kind }
    let reader = RecordReader(library: library, references: scan.references)
    let rows = entries.map { Row(entry: $0, content: reader.content(of: $0)) }
    if context.isJSON {
      context.output.json(Report(records: rows))
    } else if rows.isEmpty, isReadOnly {
      context.note(
        "Nothing to list. Have pictures drawn: stories generate illustrations STORY")
    } else if rows.isEmpty {
      let noun = (kind?.kind ?? .heroes).schema.noun
      context.note("Nothing to list. Create something: stories new \(noun) NAME")
    } else {
      write(rows, to: context.output)
    }
    return .done
  }

  private struct Report: Encodable {
    let schema = "stories.list/1"
    var records: [Row]
  }

  private struct Row: MemberEncodable {
    let entry: ScanEntry
    let content: RecordContent?

    var members: Members {
      let fields = entry.ref.kind.schema.fields.compactMap { field in
        field.shape.isShort ? content.map { (name: field.key, value: $0[field]) } : nil
      }
      return [
        "ref": entry.ref, "kind": entry.ref.kind, "title": content?.title, "state": entry.state,
        "code": StatusCode(entry),
      ] + Members(fields.filter { !$0.value.isNull })
    }
  }

  private func write(_ rows: [Row], to output: Output) {
    let groups = Dictionary(grouping: rows) { $0.entry.ref.kind }
    var isFirst = true
    for kind in EntityKind.allCases {
      guard let members = groups[kind] else { continue }
      if !isFirst { output.line() }
      isFirst = false
      output.line(Text(Phrases.count(members.count, kind), .strong))
      var table = Table(indent: 0, isCut: true)
      for row in members {
        let code = StatusCode(row.entry)
        let isNews = code.here != "." || code.there != "."
        table.add(
          Text(isNews ? code.description : "  ", code.style), "\(row.entry.ref)",
          Text(row.content?.title ?? "", .strong), Self.detail(row.entry, row.content))
      }
      table.write(to: output)
    }
  }

  /// Returns a short description that distinguishes records of a kind.
  private static func detail(_ entry: ScanEntry, _ content: RecordContent?) -> Text {
    guard let content else {
      if entry.state == .notCheckedOut { return Text("not checked out", .faint) }
      return entry.state == .missing
        ? Text("missing here", .faint)
        : Text(entry.problems.first?.message ?? "unreadable", .error)
    }
    var parts: [String] = []
    switch entry.ref.kind {
    case .heroes:
      if let age = content["age"].integer { parts.append("age \(age)") }
      parts.append(contentsOf: (content["traits"].array ?? []).prefix(3).compactMap(\.string))
    case .stories:
      parts.append(content["language"].string ?? "")
      parts.append(content["hero"].string ?? content["heroId"].string ?? "")
      if content["isFavorite"].bool == true { parts.append("favourite") }
    case .events:
      parts.append(content["category"].string ?? "")
      parts.append(content["tone"].string ?? "")
    case .illustrations: parts.append(content["status"].string ?? "")
    }
    return Text(parts.filter { !$0.isEmpty }.joined(separator: ", "), .faint)
  }
}

extension Field.Shape {
  /// Whether values are at most a word or a number.
  fileprivate var isShort: Bool {
    switch self {
    case .choice, .integer, .number, .boolean, .reference: true
    case .text, .lines, .phrases, .list: false
    }
  }
}
