import JSONText
import StoryLibrary
import StoryMedia
import StorySync

/// `stories show`: shows records.
struct ShowCommand: Command {
  var words: [String] = []
  var showsMedia = false
  var showsAll = false

  static let name = "show"
  static let summary = "Show records"
  static let section = HelpSection.records
  static let isPaged = true
  static let discussion = """
    Name a record by its path without .json (heroes/luna), by its file, or by its name alone if \
    only one record has it. A folder stands for all records below it. After the record's own fields \
    comes what the server made, as of the last sync: its avatar, narration and pictures, and dates.

    With --all-fields, fields that are not set, unknown ones and everything that the server keeps are \
    shown too. With --json, the document contains the record as it is in its file; for several REFs, \
    its records are a list. With --media, only the paths of their files on this machine are printed, \
    one per line.
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
    let library = try context.library()
    let scan = try context.scan(library, kinds: EntityKind.allCases)
    let resolver = RefResolver(scan, of: library, context: context)
    var entries: [ScanEntry] = []
    for word in words {
      for ref in try resolver.match(word).records {
        guard let entry = scan.entry(ref) else {
          throw CommandError.noSuchRecord(word, noun: "record", nearest: nil)
        }
        if !entries.contains(where: { $0.ref == ref }) { entries.append(entry) }
      }
    }
    if showsMedia { return try showMedia(of: entries.map(\.ref), library, context) }
    let reader = RecordReader(library: library, references: scan.references)
    let pictures = ServerPart.pictures(in: scan)
    let records = entries.map { entry in
      let sidecar = reader.sidecar(of: entry)
      return Record(
        entry: entry, reader: reader, sidecar: sidecar,
        made: ServerPart(of: entry, sidecar: sidecar, pictures: pictures))
    }
    if context.isJSON {
      if let record = records.first, records.count == 1 {
        context.output.json(["schema": "stories.show/1"] + record.members)
      } else {
        context.output.json(Report(records: records))
      }
    } else {
      write(records, library, context)
    }
    return entries.contains { $0.state == .unreadable } ? .failed : .done
  }

  private func write(_ records: [Record], _ library: Library, _ context: Context) {
    var isFirst = true
    for record in records {
      let entry = record.entry
      if let content = record.reader.content(of: entry, sidecar: record.sidecar) {
        if !isFirst {
          context.output.line()
          context.output.line()
        }
        isFirst = false
        RecordPage(
          entry: entry, content: content, reader: record.reader, made: record.made,
          isComplete: showsAll
        ).write(to: context.output)
        if PlaceholderText.applies(to: record.sidecar, entry.ref.kind) {
          PlaceholderText(kind: entry.ref.kind).write(to: context)
        }
      }
      for problem in entry.problems {
        ProblemText(problem, in: library, context: context).write(to: context.errors)
      }
    }
  }

  /// Shows the local media files of records and names the missing ones.
  private func showMedia(
    of refs: [RecordRef], _ library: Library, _ context: Context
  ) throws -> ExitCode {
    let media = Repositories(library, time: context.time) { _ in throw CommandError.noServer }.media
    let files = try media.use(refs)
    let missing = files.filter { $0.file == nil }.map(\.item)
    if context.isJSON {
      context.output.json(
        MediaPaths(
          ref: refs.count == 1 ? refs[0] : nil,
          files: files.compactMap { item, file in file.map { MediaText.members(of: $0, item.ref) }
          },
          missing: missing.map(\.ref)))
      return .done
    }
    for (_, file) in files {
      if let file { context.output.line(Text(context.shown(file.path, in: library))) }
    }
    if files.isEmpty {
      let names = Phrases.list(refs.map(\.description))
      context.note(
        "\(names) \(refs.count == 1 ? "has" : "have") no file on the server, as of the last sync.")
    } else if !missing.isEmpty {
      let count = Phrases.count(missing.count, "file")
      context.note(
        "\(count) not on this machine yet; fetch: \(ShellWord.line(["stories", "media", "pull"] + words))"
      )
    }
    return .done
  }

  private struct MediaPaths: Encodable {
    let schema = "stories.show-media/1"
    @Omitted var ref: RecordRef?
    var files: [Members]
    var missing: [RecordRef]
  }

  private struct Report: Encodable {
    let schema = "stories.show-records/1"
    var records: [Record]
  }

  private struct Record: MemberEncodable {
    let entry: ScanEntry
    let reader: RecordReader
    let sidecar: Sidecar?
    let made: ServerPart

    var members: Members {
      let file = entry.hasRecord ? try? reader.file(of: entry) : nil
      return [
        "ref": entry.ref, "kind": entry.ref.kind,
        "state": entry.state, "code": StatusCode(entry), "file": entry.ref.path, "id": entry.id,
        "updatedAt": entry.updatedAt, "record": file?.document.root.value,
        "server": sidecar.map { JSONValue.object($0.server) },
        "pictures": Omitted(made.pictures > 0 ? made.pictures : nil),
        "placeholder": PlaceholderText.applies(to: sidecar, entry.ref.kind),
        "problems": entry.problems,
      ]
    }
  }
}
