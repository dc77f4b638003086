import JSONText
import StoryLibrary
import StoryMedia
import StorySync

/// `stories show`: shows one record.
struct ShowCommand: Command {
  var word = ""
  var showsMedia = false

  static let name = "show"
  static let summary = "Show a record"
  static let section = HelpSection.records
  static let discussion = """
    Name a record by its path without .json (heroes/luna), by its file, or by its name alone if \
    only one record has it. With --json, the document contains the record as it is in its file. \
    With --media, only the paths of its files on this machine are printed, one per line.
    """
  static let examples = [
    Example("stories show luna", "a hero"),
    Example("stories show stories/first-snow", "a story, wrapped to the terminal's width"),
  ]
  static let parameters: [Parameter<ShowCommand>] = [
    .argument("REF", \.word, help: "The record", completion: .record),
    .flag("media", \.showsMedia, help: "Print the paths of its pictures and narration"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let scan = try context.scan(library, kinds: EntityKind.allCases)
    let ref = try RefResolver(scan, of: library, context: context).record(word)
    guard let entry = scan.entry(ref) else {
      throw CommandError.noSuchRecord(word, noun: "record", nearest: nil)
    }
    if showsMedia { return try showMedia(of: ref, library, context) }
    let reader = RecordReader(library: library, references: scan.references)
    if context.isJSON {
      context.output.json(Report(entry: entry, reader: reader))
    } else if let content = reader.content(of: entry) {
      RecordPage(entry: entry, content: content, reader: reader).write(to: context.output)
      if PlaceholderText.applies(to: reader.sidecar(of: entry), ref.kind) {
        PlaceholderText(kind: ref.kind).write(to: context)
      }
    }
    if !context.isJSON {
      for problem in entry.problems {
        ProblemText(problem, in: library, context: context).write(to: context.errors)
      }
    }
    return entry.state == .unreadable ? .failed : .done
  }

  /// Shows a record's local media files and names the missing ones.
  private func showMedia(
    of ref: RecordRef, _ library: Library, _ context: Context
  ) throws -> ExitCode {
    let media = Repositories(library, time: context.time) { _ in throw CommandError.noServer }.media
    let files = try media.use([ref])
    let missing = files.filter { $0.file == nil }.map(\.item)
    if context.isJSON {
      context.output.json(
        MediaPaths(
          ref: ref,
          files: files.compactMap { item, file in file.map { MediaText.members(of: $0, item.ref) }
          },
          missing: missing.map(\.ref)))
      return .done
    }
    for (_, file) in files {
      if let file { context.output.line(Text(context.shown(file.path, in: library))) }
    }
    if files.isEmpty {
      context.note("\(ref) has no file on the server, as of the last sync.")
    } else if !missing.isEmpty {
      let count = Phrases.count(missing.count, "file")
      context.note("\(count) not on this machine yet; fetch: stories media pull \(ref)")
    }
    return .done
  }

  private struct MediaPaths: Encodable {
    let schema = "stories.show-media/1"
    var ref: RecordRef
    var files: [Members]
    var missing: [RecordRef]
  }

  private struct Report: MemberEncodable {
    let entry: ScanEntry
    let reader: RecordReader

    var members: Members {
      let file = entry.hasRecord ? try? reader.file(of: entry) : nil
      return [
        "schema": "stories.show/1", "ref": entry.ref, "kind": entry.ref.kind,
        "state": entry.state, "code": StatusCode(entry), "file": entry.ref.path, "id": entry.id,
        "updatedAt": entry.updatedAt, "record": file?.document.root.value,
        "placeholder": PlaceholderText.applies(
          to: reader.sidecar(of: entry), entry.ref.kind), "problems": entry.problems,
      ]
    }
  }
}
