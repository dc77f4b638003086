import JSONText
import StoryLibrary

struct ListCommand: Command {
  var filter = RecordFilter()
  var order: ListOrder?
  var isReversed = false
  var isLong = false

  static let name = "list"
  static let summary = "List the records of the library"
  static let isPaged = true
  static let discussion = """
    Lists the name and title of each record, with the two letters of `stories status` if it is not \
    in sync. Pictures of stories, which the server makes, are listed only if you ask for them.

    --long adds when the server got a record, how often and when a story was read, and which avatar, \
    narration and pictures it has. These, and the order by them, are as of the last sync. With --json, \
    each record has all of its fields.
    """
  static let examples = [
    Example("stories list", "heroes, events and stories"),
    Example("stories list stories", "only the stories"),
    Example("stories list --hero luna --long", "a hero's stories"),
    Example("stories list --favorite --sort read", "favorites, last read first"),
    Example("stories list --state conflict", "conflicts to resolve"),
    Example("stories list illustrations", "the pictures of all stories"),
  ]
  static let parameters: [Parameter<ListCommand>] =
    [
      .arguments(
        "WHERE", \.filter.places,
        help: "A kind, or a folder such as stories/2026 (default: heroes, events and stories)")
    ] + RecordFilter.parameters.stored(in: \.filter) + [
      .option(
        "sort", value: "ORDER", \.order, help: "Order within each kind; newest and most first"),
      .flag("reverse", \.isReversed, help: "Reverse the order"),
      .flag("long", letter: "l", \.isLong, help: "Show dates, readings and media too"),
    ]

  func run(_ context: Context) async throws -> ExitCode {
    let scansAll = isLong || context.isJSON || filter.namesIllustrations
    let opened = try OpenLibrary(
      context, kinds: scansAll ? EntityKind.allCases : EntityKind.writable)
    let entries = try filter.entries(of: opened)
    let reader = opened.reader
    let pictures = ServerPart.pictures(in: opened.scan)
    let read = Parallel.map(entries, threads: 2) { [filter] entry -> ListRow? in
      let made = ServerPart(of: entry, reader, pictures: pictures)
      let content = reader.content(of: entry, sidecar: made.sidecar)
      guard filter.admits(content) else { return nil }
      return ListRow(entry: entry, content: content, made: made)
    }
    let rows = (order ?? .name).sorted(read.compactMap(\.self), isReversed: isReversed)
    context.tell(["schema": "stories.list/1", "records": rows]) {
      if rows.isEmpty { return noteNothing(opened.scan, context) }
      write(rows, to: context.output)
    }
    return .done
  }

  private func noteNothing(_ scan: Scan, _ context: Context) {
    let kind = filter.places.first?.kind
    if scan.entries.contains(where: { kind == nil || $0.ref.kind == kind }) {
      context.note("No record matches.")
    } else if kind?.schema.isReadOnly == true {
      context.note("Nothing to list. Have pictures drawn: stories generate illustrations STORY")
    } else {
      let noun = (kind ?? .heroes).schema.noun
      context.note("Nothing to list. Create something: stories new \(noun) NAME")
    }
  }

  private func write(_ rows: [ListRow], to output: Output) {
    let groups = Dictionary(grouping: rows) { $0.entry.ref.kind }
    var isFirst = true
    for kind in EntityKind.allCases {
      guard let members = groups[kind] else { continue }
      if !isFirst { output.line() }
      isFirst = false
      output.line(Text(Phrases.count(members.count, kind), .strong))
      var table = Table(indent: 0, isCut: !isLong)
      table.narrowest = 30
      for row in members {
        let code = StatusCode(row.entry)
        let isChanged = code.local != "." || code.server != "."
        let lead = Text(isChanged ? code.description : "  ", code.style)
        let title = Text(row.content?.title ?? "", .strong)
        if isLong {
          let details = [
            Text(ServerPart.day(row.made.madeAt) ?? ""), Text(row.readings), Text(row.made.media),
            row.detail,
          ]
          if output.isTerminal {
            // On one line with long names there may be no room for any of them.
            let details = details.filter { !$0.isEmpty }.joined("  ")
            table.add(lead, "\(row.entry.ref)", title, details)
          } else {
            table.add(
              lead, "\(row.entry.ref)", title, details[0], details[1], details[2], details[3])
          }
        } else {
          table.add(lead, "\(row.entry.ref)", title, row.detail)
        }
      }
      table.write(to: output)
    }
  }
}

struct ListRow: MemberEncodable {
  let entry: ScanEntry
  let content: RecordContent?
  let made: ServerPart

  var members: Members {
    let fields = entry.ref.kind.schema.fields.compactMap { field in
      field.key == "title" ? nil : content.map { (name: field.key, value: $0[field]) }
    }
    return [
      "ref": entry.ref, "kind": entry.ref.kind, "title": content?.title, "state": entry.state,
      "code": StatusCode(entry),
    ] + Members(fields.filter { !$0.value.isNull }) + made.members
  }

  /// How often and when a story was read: `3× 2026-11-21`.
  var readings: String {
    let count = content?["playCount"].integer ?? 0
    guard count > 0 else { return "" }
    return "\(count)×" + (ServerPart.day(made.readAt).map { " \($0)" } ?? "")
  }

  var detail: Text {
    guard let content else {
      if entry.state == .notCheckedOut { return Text("not checked out", .faint) }
      return entry.state == .missing
        ? Text("missing locally", .faint)
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
      if content["isFavorite"].bool == true { parts.append("favorite") }
    case .events:
      parts.append(content["category"].string ?? "")
      parts.append(content["tone"].string ?? "")
    case .illustrations: parts.append(content["status"].string ?? "")
    }
    return Text(parts.filter { !$0.isEmpty }.joined(separator: ", "), .faint)
  }
}

/// The order of a list within each kind.
enum ListOrder: String, ChoiceArgument {
  case name
  case title
  /// When the server got the record, newest first.
  case created
  /// When it was changed last on the server, newest first.
  case changed
  /// When it was read last, newest first.
  case read
  /// How often it was read, most first.
  case readings

  static func parse(_ word: String) throws(ValueProblem) -> ListOrder {
    // Its former name.
    if word == "made" { return .created }
    guard let order = ListOrder(rawValue: word) else { throw .oneOf(choices, not: word) }
    return order
  }

  /// Returns the rows in this order; those without a value come last, or first if it is reversed.
  func sorted(_ rows: [ListRow], isReversed: Bool) -> [ListRow] {
    var ordered = rows
    switch self {
    case .name: break
    case .title: ordered = sorted(rows, by: { Slug.collisionKey($0.content?.title ?? "") }, <)
    case .created: ordered = sorted(rows, by: { Self.time($0.made.madeAt) }, >)
    case .changed: ordered = sorted(rows, by: { Self.time($0.made.changedAt) }, >)
    case .read: ordered = sorted(rows, by: { Self.time($0.made.readAt) }, >)
    case .readings: ordered = sorted(rows, by: { $0.content?["playCount"].integer ?? 0 }, >)
    }
    if isReversed { ordered.reverse() }
    // Kinds stay in their order.
    return EntityKind.allCases.flatMap { kind in ordered.filter { $0.entry.ref.kind == kind } }
  }

  private func sorted<Key: Comparable>(
    _ rows: [ListRow], by key: (ListRow) -> Key, _ isBefore: (Key, Key) -> Bool
  ) -> [ListRow] {
    rows.map { (row: $0, key: key($0)) }.sorted { isBefore($0.key, $1.key) }.map(\.row)
  }

  private static func time(_ date: String?) -> Int64 {
    date.flatMap { UTCTime.read($0)?.seconds } ?? .min
  }
}
