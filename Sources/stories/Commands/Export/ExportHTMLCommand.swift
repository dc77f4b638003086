import JSONText
import StoryLibrary
import StoryPages

struct ExportHTMLCommand: Command {
  var folder = ""
  var words: [String] = []
  var title: String?
  var pulls = false
  var isForced = false
  var isDryRun = false

  static let name = "html"
  static let summary = "Write web pages that work from a folder, without a server"
  static let discussion = """
    Writes pages with heroes, stories, pictures and narrations to a folder, which can be copied to a \
    phone, a USB stick or a web server. Open index.html in a browser; paper.html has all stories one \
    after another, for printing. The pages have no scripts and load nothing from the network.

    Exporting again updates the folder: files that are the same are not touched, and pages that are \
    no longer needed are removed, unless a folder of records cannot be read. Files of your own, and \
    pages you edited, are never replaced or removed; --force replaces edited pages. \
    stories-site.json lists the files of the export.
    """
  static let examples = [
    Example("stories export html site", "the whole library"),
    Example("stories export html site stories/2026 luna", "a folder, and a hero's stories"),
    Example("stories export html site --pull", "fetch missing files first"),
  ]
  static let parameters: [Parameter<ExportHTMLCommand>] = [
    .argument("DIR", \.folder, help: "The folder to write to", completion: .folder),
    .arguments("REF", \.words, help: "The records (default: all)", completion: .record),
    .option("title", value: "TEXT", \.title, help: "The title of the pages"),
    .flag("pull", \.pulls, help: "Fetch missing pictures and narrations first"),
    .flag("force", \.isForced, help: "Replace pages that were edited"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let source = ExportSource(context: context, library: try context.library(), title: title)
    let path = try source.target(folder, "DIR")
    let code = pulls && !isDryRun ? try await source.pull(words) : .done
    let (shelf, report) = try await source.export(words, "Writing pages") { shelf, progress in
      try Site(shelf).export(
        to: path, of: source.library, isForced: isForced, isDryRun: isDryRun, progress: progress)
    }
    context.tell([
      "schema": "stories.export-html/1", "dryRun": isDryRun, "path": path, "title": shelf.title,
      "heroes": shelf.heroes.map(\.ref), "stories": shelf.stories.map(\.ref),
      "written": report.written.sorted(), "unchanged": report.unchanged,
      "removed": report.removed, "kept": (report.kept + report.outdated).sorted(),
      "omitted": ExportSource.members(of: shelf.omitted),
    ]) { write(report, shelf, path, to: context) }
    source.writeOmitted(shelf)
    let isComplete = report.kept.isEmpty && report.outdated.isEmpty
    return .worst([code, shelf.exitCode, isComplete ? .done : .failed])
  }

  private func write(
    _ report: SiteReport, _ shelf: Bookshelf, _ path: String, to context: Context
  ) {
    let index = context.shown(Path.join(path, "index.html"))
    if isDryRun {
      context.output.line(
        "Would write \(Phrases.count(report.written.count, "file")) to \(context.shown(path))")
      for file in report.removed { context.output.line(Text("remove \(file)")) }
      writeKept(report, path, to: context)
      context.note("Dry run: nothing was changed.")
      return
    }
    context.output.line(Text(index))
    var parts = ["\(Phrases.count(report.written.count, "file")) written"]
    if report.unchanged > 0 { parts.append("\(report.unchanged) unchanged") }
    if !report.removed.isEmpty { parts.append("\(report.removed.count) removed") }
    context.note(Text("\(ExportSource.content(of: shelf)): \(parts.joined(separator: ", "))."))
    writeKept(report, path, to: context)
  }

  private func writeKept(_ report: SiteReport, _ path: String, to context: Context) {
    for file in report.kept.sorted() {
      let shown = context.shown(Path.join(path, file))
      context.note("Kept \(shown): it was edited. Replace it with --force.")
    }
    for file in report.outdated {
      let shown = context.shown(Path.join(path, file))
      context.note("Kept \(shown): it was edited, and its story is no longer exported.")
    }
  }
}
