import JSONText
import StoryLibrary
import StoryMedia

struct ShowCommand: Command {
  var words: [String] = []
  var showsMedia = false
  var showsAll = false

  static let name = "show"
  static let summary = "Show records"
  static let isPaged = true
  static let discussion = """
    Name a record by its path without .json (heroes/luna), by its file, or by its name alone if \
    only one record has it. A folder stands for all records below it. After the record's own fields \
    comes what the server made, as of the last sync: its avatar, narration and pictures, and dates.

    With --all-fields, fields that are not set, unknown ones and everything that the server keeps are \
    shown too. With --json, the document has the record as it is in its file; for several REFs, a list \
    of them. With --media, only the paths of their files on this machine are printed, one per line.
    """
  static let examples = [
    Example("stories show luna", "a hero"),
    Example("stories show stories/first-snow", "a story, wrapped to the terminal's width"),
    Example("stories show luna otto --all-fields", "two heroes, with everything about them"),
  ]
  static let parameters: [Parameter<ShowCommand>] = [
    .arguments(
      "REF", \.words, help: "A record or a folder of records", isRequired: true,
      completion: .record),
    .flag("all-fields", \.showsAll, help: "Show every field, and everything the server keeps"),
    .flag("media", \.showsMedia, help: "Print the paths of pictures and narrations"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, kinds: EntityKind.allCases)
    let resolver = opened.resolver()
    var seen: Set<RecordRef> = []
    let entries = try words.flatMap { try resolver.match($0).records }
      .filter { seen.insert($0).inserted }.compactMap(opened.scan.entry)
    if showsMedia {
      try showMedia(of: entries.map(\.ref), opened.library, context)
      return .done
    }
    let reader = opened.reader
    let pictures = ServerPart.pictures(in: opened.scan)
    let records = entries.map {
      Record(entry: $0, reader: reader, made: ServerPart(of: $0, reader, pictures: pictures))
    }
    if context.isJSON {
      if let record = records.first, records.count == 1 {
        context.output.json(["schema": "stories.show/1"] + record.members)
      } else {
        let report: Members = ["schema": "stories.show-records/1", "records": records]
        context.output.json(report)
      }
    } else {
      write(records, opened, context)
    }
    return entries.contains { $0.state == .unreadable } ? .failed : .done
  }

  private func write(_ records: [Record], _ opened: OpenLibrary, _ context: Context) {
    var isFirst = true
    for record in records {
      let entry = record.entry
      if let content = record.reader.content(of: entry, sidecar: record.made.sidecar) {
        if !isFirst {
          context.output.line()
          context.output.line()
        }
        isFirst = false
        RecordPage(
          entry: entry, content: content, reader: record.reader, made: record.made,
          isComplete: showsAll
        ).write(to: context.output)
        if record.isPlaceholder { context.notePlaceholder(entry.ref.kind) }
      }
      opened.write(entry.problems, to: context.errors)
    }
  }

  /// Shows the local media files of records and names the missing ones.
  private func showMedia(of refs: [RecordRef], _ library: Library, _ context: Context) throws {
    let files = try context.localMedia(of: library).use(refs)
    let missing = files.filter { $0.file == nil }.map(\.item.ref)
    context.tell([
      "schema": "stories.show-media/1", "ref": Omitted(refs.count == 1 ? refs[0] : nil),
      "files": files.compactMap { item, file in file.map { $0.members(of: item.ref) } },
      "missing": missing,
    ]) {
      for (_, file) in files {
        if let file { context.output.line(Text(context.shown(file.path, in: library))) }
      }
      if files.isEmpty {
        let names = Phrases.list(refs.map(\.description))
        let verb = refs.count == 1 ? "has" : "have"
        context.note("\(names) \(verb) no file on the server, as of the last sync.")
      } else if !missing.isEmpty {
        let count = Phrases.count(missing.count, "file")
        let command = ShellWord.line(["stories", "media", "pull"] + words)
        context.note("\(count) not on this machine yet; fetch: \(command)")
      }
    }
  }

  private struct Record: MemberEncodable {
    let entry: ScanEntry
    let reader: RecordReader
    let made: ServerPart

    var isPlaceholder: Bool { made.sidecar?.hasPlaceholder(entry.ref.kind) == true }

    var members: Members {
      let file = entry.hasRecord ? try? reader.file(entry.ref) : nil
      return [
        "ref": entry.ref, "kind": entry.ref.kind,
        "state": entry.state, "code": StatusCode(entry), "file": entry.ref.path, "id": entry.id,
        "updatedAt": entry.updatedAt, "record": file?.document.root.value,
        "server": made.sidecar.map { JSONValue.object($0.server) },
        "pictures": Omitted(made.pictures > 0 ? made.pictures : nil),
        "placeholder": isPlaceholder,
        "problems": entry.problems,
      ]
    }
  }
}
