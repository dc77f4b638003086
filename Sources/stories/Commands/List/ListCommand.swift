import JSONText
import StoryLibrary

struct ListCommand: FilteringCommand {
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
    Example("stories list --favorite --sort read", "favourites, last read first"),
    Example("stories list --state conflict", "conflicts to resolve"),
    Example("stories list illustrations", "the pictures of all stories"),
  ]
  static let parameters: [Parameter<ListCommand>] =
    [
      .arguments(
        "WHERE", \.filter.places,
        help: "A kind, or a folder such as stories/2026 (default: heroes, events and stories)")
    ] + filterParameters + [
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
      let sidecar = reader.sidecar(of: entry)
      let content = reader.content(of: entry, sidecar: sidecar)
      guard filter.admits(content) else { return nil }
      return ListRow(
        entry: entry, content: content,
        made: ServerPart(of: entry, sidecar: sidecar, pictures: pictures))
    }
    let rows = (order ?? .name).sorted(read.compactMap(\.self), isReversed: isReversed)
    let report: Members = ["schema": "stories.list/1", "records": rows]
    context.tell(report) {
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
      var table = Table(indent: 0, isCut: true)
      for row in members {
        let code = StatusCode(row.entry)
        let isChanged = code.local != "." || code.server != "."
        let lead = Text(isChanged ? code.description : "  ", code.style)
        let title = Text(row.content?.title ?? "", .strong)
        if isLong {
          table.add(
            lead, "\(row.entry.ref)", title, Text(ServerPart.day(row.made.madeAt) ?? ""),
            Text(row.readings), Text(row.made.media), row.detail)
        } else {
          table.add(lead, "\(row.entry.ref)", title, row.detail)
        }
      }
      table.write(to: output)
    }
  }
}
