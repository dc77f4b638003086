import JSONText
import StoryLibrary

struct NewStoryCommand: Command {
  enum Language: String, ChoiceArgument {
    case en, fr, es, de, it
  }

  var hero: String?
  var event: String?
  var language: Language?
  var draft = RecordDraft(.stories)

  static let name = "story"
  static let summary = "Create a story"
  static let discussion = """
    Without --from, writes everything but the story itself, which goes into "content": an array of \
    lines, one per paragraph. A story without text is a draft and is not sent. --hero is optional if \
    the library has only one.

    --from takes the text from a file (.md, .markdown or .txt) or, with -, from standard input. Front \
    matter in it holds fields, as `stories export markdown` writes them; the options of the command \
    come first. Otherwise --from names a story to start from.
    """
  static let examples = [
    Example(
      "stories new story \"The First Snow\" --hero luna", "writes stories/the-first-snow.json"),
    Example(
      "stories new story \"The First Snow\" --hero luna --from snow.md", "with a text from a file"),
    Example("stories new story \"The First Snow\" --hero luna --from -", "from another program"),
    Example("stories new story \"More Snow\" --from first-snow", "a copy to start from"),
  ]
  static let parameters: [Parameter<NewStoryCommand>] =
    [
      .argument("TITLE", \.draft.title, help: "The story's title"),
      .option("hero", value: "HERO", \.hero, help: "The story's hero", completion: .record),
      .option("event", value: "EVENT", \.event, help: "The story's event", completion: .record),
      .option("language", value: "CODE", \.language, help: "The story's language"),
    ]
    + RecordDraft.parameters(
      .stories, from: "A text, or a story to start from", value: "FILE|REF|-", completion: .file
    ).stored(in: \.draft)

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, isWritten: true)
    let text = try draft.source.flatMap { try self.text($0, opened) }
    for problem in text?.warnings ?? [] { context.note(Text("Warning: \(problem.text)", .warning)) }
    let heroName = try hero.map { JSONValue.string(try opened.hero($0).name) }
    let eventName = try event.map { JSONValue.string(try opened.resolver(.events).record($0).name) }
    let given = try draft.members(
      in: opened, isCopy: text == nil,
      options: [
        ("--hero", "hero", heroName), ("--event", "event", eventName),
        ("--language", "language", language.map { .string($0.rawValue) }),
      ])
    var members = given
    if let text {
      let schema = EntityKind.stories.schema
      members = JSONObject()
      schema.apply(text.record.values, to: &members)
      schema.apply(given, to: &members)
    }
    if members["hero"] == nil, members["heroId"] == nil {
      members["hero"] = .string(try opened.hero(nil).name)
    }
    if members["language"] == nil { members["language"] = .string(Language.en.rawValue) }
    let isEmpty = members["content"] == nil
    if isEmpty { members["content"] = [""] }
    return try draft.create(members, in: opened, text: text?.record) { path in
      isEmpty
        ? "“content” is empty: write the story in \(path), or run `stories edit --text"
          + " \(ShellWord.quoting(path))`. It is not sent until it has text." : nil
    }
  }

  /// Returns the text of a file or of standard input; `nil` for the name of a record.
  ///
  /// - Throws: `FileError`; `RecordImporter.Rejection` if the text is not understood.
  private func text(
    _ word: String, _ opened: OpenLibrary
  ) throws -> (record: IncomingRecord, warnings: [Problem])? {
    let context = opened.context
    let path = Path.absolute(word, in: context.folder)
    guard word == "-" || isText(word, at: path, opened) else { return nil }
    let source =
      try word == "-"
      ? ImportSource.standardInput(context) : ImportSource(path, below: nil, in: context)
    var text: StoryText
    do {
      text = try StoryText(parsing: source.bytes, file: source.shown)
    } catch {
      throw RecordImporter.Rejection(problems: [error])
    }
    // A heading that only repeats the title is not part of the story.
    var titled = text
    titled.completeTitle(fallback: nil)
    if titled.fields["title"]?.string == draft.title { text = titled }
    let record = IncomingRecord(
      ref: RecordRef(kind: .stories, name: "story"), values: text.values, source: source,
      offsets: text.offsets)
    return (record, text.warnings)
  }

  /// Returns whether a word names a text: by its ending, or as a file that is no story.
  private func isText(_ word: String, at path: String, _ opened: OpenLibrary) -> Bool {
    let name = word.lowercased()
    if [".md", ".markdown", ".txt"].contains(where: name.hasSuffix) { return true }
    guard !name.hasSuffix(".json"), (try? FileSystem.status(path))??.type == .regular else {
      return false
    }
    return (try? opened.resolver(.stories).match(word)) == nil
  }
}
