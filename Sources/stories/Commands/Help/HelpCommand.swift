import StoryLibrary

struct HelpCommand: Command {
  var words: [String] = []
  var isManual = false
  var folder: String?

  static let name = "help"
  static let summary = "Show help for a command"
  static let isPaged = true
  static let discussion = """
    --man prints the manual page of the command for man(1). With --man-pages, the pages of the \
    command and of all commands below it are written into a folder, such as \
    ~/.local/share/man/man1.

    --json prints the command and all commands below it, with their arguments and options.
    """
  static let examples = [
    Example("stories help", "list all commands"),
    Example("stories help sync", "show help for `stories sync`"),
    Example("stories help sync --man > stories-sync.1", "its manual page"),
    Example("stories help --man-pages ~/.local/share/man/man1", "the pages of all commands"),
  ]
  static let parameters: [Parameter<HelpCommand>] = [
    .arguments("COMMAND", \.words, help: "The command (default: list all)", completion: .command),
    .flag("man", \.isManual, help: "Print a manual page"),
    .option(
      "man-pages", value: "DIR", \.folder, help: "Write the manual pages into this folder",
      completion: .folder),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let path = try CommandPath([StoriesCommand.self]).descending(words)
    if context.isJSON, isManual { throw UsageError(.excluded("--json", by: "--man")) }
    if context.isJSON, folder != nil { throw UsageError(.excluded("--json", by: "--man-pages")) }
    if let folder {
      let pages = path.andAllBelow.map { ManPage($0) }
      try write(pages, to: Path.absolute(folder, in: context.folder), context)
    } else if isManual {
      context.output.bytes(Array(ManPage(path).text.utf8))
    } else {
      context.tell(path.table) { path.writeHelp(to: context.output) }
    }
    return .done
  }

  private func write(_ pages: [ManPage], to folder: String, _ context: Context) throws {
    try FileSystem.makeFolder(folder)
    for page in pages {
      try AtomicFile.write(Array(page.text.utf8), to: Path.join(folder, page.fileName), mode: 0o644)
    }
    context.note("Wrote \(Phrases.count(pages.count, "manual page")) into \(context.shown(folder))")
  }
}
