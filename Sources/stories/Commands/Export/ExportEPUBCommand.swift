import JSONText
import StoryLibrary
import StoryPages

struct ExportEPUBCommand: Command {
  var file = ""
  var words: [String] = []
  var title: String?
  var pulls = false
  var isDryRun = false

  static let name = "epub"
  static let summary = "Write a book for e-readers (EPUB 3)"
  static let discussion = """
    Writes a book with a cover, a table of contents and one chapter for each story, in the library's \
    order. Narrations are played along with the text by readers that support it. E-readers need \
    pictures in PNG, JPEG or GIF and narrations in MP3 or AAC; others are left out and named.

    A book that this command wrote is replaced, unless it was edited or a folder of records cannot be \
    read; any other file is not.
    """
  static let examples = [
    Example("stories export epub stories.epub", "all stories"),
    Example("stories export epub luna.epub luna", "all stories about one hero"),
    Example("stories export epub 2026.epub stories/2026 --title 'Our 2026'", "a folder"),
  ]
  static let parameters: [Parameter<ExportEPUBCommand>] = [
    .argument("FILE", \.file, help: "The book to write"),
    .arguments("REF", \.words, help: "The records (default: all)", completion: .record),
    .option("title", value: "TEXT", \.title, help: "The title of the book"),
    .flag("pull", \.pulls, help: "Fetch missing pictures and narrations first"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let source = ExportSource(context: context, library: try context.library(), title: title)
    let path = try source.target(file, "FILE")
    let code = pulls && !isDryRun ? try await source.pull(words) : .done
    let (shelf, report) = try await source.export(words, "Writing chapters") { shelf, progress in
      // A book that may lack stories does not replace one that has them.
      if let problem = shelf.problems.first, FileSystem.exists(path) {
        throw CommandError.cannotBeRead(problem)
      }
      return try Book(shelf).export(to: path, isDryRun: isDryRun, progress: progress)
    }
    context.tell([
      "schema": "stories.export-epub/1", "dryRun": isDryRun, "path": path, "title": shelf.title,
      "stories": shelf.stories.map(\.ref), "changed": report.isChanged, "size": report.size,
      "leftOut": report.leftOut, "omitted": ExportSource.members(of: shelf.omitted),
    ]) { write(report, shelf, path, to: context) }
    source.writeOmitted(shelf)
    return .worst([code, shelf.exitCode])
  }

  private func write(
    _ report: BookReport, _ shelf: Bookshelf, _ path: String, to context: Context
  ) {
    let content = ExportSource.content(of: shelf)
    if isDryRun {
      context.output.line("\(content) for \(context.shown(path))")
      context.note("Dry run: nothing was changed.")
    } else {
      context.output.line(Text(context.shown(path)))
      let size = Phrases.size(report.size)
      context.note(Text("\(content), \(size)\(report.isChanged ? "" : "; unchanged")."))
    }
    for ref in report.leftOut {
      let what = ref.kind == .stories ? "narration" : "picture"
      context.note(
        Text("The \(what) of \(ref) was left out: e-readers may not support its format."))
    }
  }
}
