import JSONText
import StoryLibrary
import StoryPages
import StorySync

struct ReadCommand: Command {
  var word = ""
  var isAloud = false
  var counts = false
  var countsNot = false

  static let name = "read"
  static let summary = "Read a story, or have it read aloud"
  static let discussion = """
    On a terminal, the text is wrapped to a comfortable width, and a story that is longer than the \
    terminal is shown in the pager: PAGER, or less. Elsewhere it is printed as it is.

    With --aloud, the narration that `stories media pull` fetched is played. Without one, your \
    speech engine reads the story; see `stories engine`. The player is STORIES_PLAYER, or the first of \
    mpv, ffplay, afplay, play, mpg123, pw-play, paplay and aplay that is installed.

    A story that was read to its end on a terminal counts as read: its playCount grows by one, an \
    edit that the next push sends. Read to its end means that all of it was printed; that the pager took \
    all of it and was closed normally, wherever in the text that was; or that the narration was played \
    to its end. What is not printed on a terminal is counted only with --count, which exits with 1 if \
    that fails.
    """
  static let examples = [
    Example("stories read first-snow", "in the pager, if it is long"),
    Example("stories read first-snow --aloud", "its narration"),
    Example("stories read first-snow --no-pager", "all of it at once"),
  ]
  static let parameters: [Parameter<ReadCommand>] = [
    .argument("REF", \.word, help: "The story", completion: .record),
    .flag("aloud", \.isAloud, help: "Print the text and play the narration"),
    .flag("count", \.counts, help: "Count the reading even without a terminal"),
    .flag("no-count", \.countsNot, help: "Do not count the reading"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if counts, countsNot { throw UsageError(.excluded("--no-count", by: "--count")) }
    let opened = try OpenLibrary(context)
    let ref = try opened.resolver(.stories).record(word)
    guard let entry = opened.scan.entry(ref), let content = opened.reader.content(of: entry) else {
      throw opened.scan.entry(ref)?.problems.first ?? ReadingError.noText(ref)
    }
    let text = content["content"].string ?? ""
    guard text.contains(where: { !$0.isWhitespace }) else { throw ReadingError.noText(ref) }
    let narrator = Narrator(
      ref: ref, title: content.title ?? ref.name,
      paragraphs: Prose(text).paragraphs.map { $0.joined(separator: "\n") },
      language: content["language"].string ?? "en", library: opened.library, context: context)
    let narration = isAloud || context.isJSON ? try narrator.find() : (isOnServer: false, path: nil)
    var isRead = true
    if !context.isJSON { isRead = try show(text, narrator.title, context) }
    if isAloud {
      isRead = try await narrator.play(narration.path, isOnServer: narration.isOnServer)
    }
    let isWatched = context.output.isTerminal && !context.isJSON
    var isCounted = isRead && !countsNot && (counts || isWatched)
    var code = ExitCode.done
    if isCounted, context.output.sink.failure == nil {
      do {
        if let problem = entry.outdatedProblem { throw problem }
        let times = try LibraryEditor(opened.library).countReading(
          of: ref, known: content["playCount"].integer ?? 0)
        if isWatched { context.aside("Read \(Phrases.count(times, "time")).") }
      } catch {
        isCounted = false
        if counts { code = .failed }
        let reason = ErrorReport(error, in: context).message
        context.errors.line(Text("The reading was not counted: \(reason)"))
      }
    }
    if context.isJSON {
      let report: Members = [
        "schema": "stories.read/1", "ref": ref, "title": narrator.title,
        "language": narrator.language, "hero": content["hero"].string,
        "paragraphs": narrator.paragraphs, "narration": narration.path, "counted": isCounted,
      ]
      context.output.json(report)
    }
    return code
  }

  /// Prints the story or shows it in the pager; returns whether it was read to its end.
  private func show(_ text: String, _ title: String, _ context: Context) throws -> Bool {
    let output = context.output
    guard output.isTerminal else {
      output.line(Text(title))
      output.line()
      let shown = VisibleText.escapingLines(text)
      output.bytes(Array((output.isASCII ? PlainASCII.text(shown) : shown).utf8) + [0x0A])
      output.sink.flush()
      return output.sink.failure == nil
    }
    let lines =
      [Text(title, .strong), ""] + Text.lines(ofProse: text, width: output.proseWidth)
    if !isAloud, let isRead = try context.page(lines.flatMap(output.encoded)) { return isRead }
    for line in lines { output.line(line) }
    output.sink.flush()
    return output.sink.failure == nil
  }
}

extension LibraryEditor {
  /// Adds one to the number of readings in a story's file.
  ///
  /// - Parameter known: the number if the file has none, which is the one that the server has.
  /// - Returns: the new number.
  func countReading(of ref: RecordRef, known: Int) throws -> Int {
    var times = known
    try update(ref) { members in
      times = min((members["playCount"]?.integer ?? known) + 1, Int(Int32.max))
      members["playCount"] = .number(times)
    }
    return times
  }

  /// Makes a story a favorite in its file, or no longer one.
  func setFavorite(_ ref: RecordRef, to isFavorite: Bool) throws {
    try update(ref) { members in
      // Without the member, the server's value counts.
      members["isFavorite"] = .bool(isFavorite)
    }
  }
}
