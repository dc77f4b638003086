import JSONText
import StoryAPI
import StoryLibrary
import StorySync

struct ImportCommand: Command {
  var words: [String] = []
  var recordName: String?
  var folder: String?
  var hero: String?
  var language: NewStoryCommand.Language?
  var replaces = false
  var isDryRun = false

  static let name = "import"
  static let summary = "Import stories from text files, or records from a server's JSON"
  static let discussion = """
    A text file becomes a story. Its front matter, if it has one, holds the fields, as \
    `stories export markdown` writes them; a hero or an event may be named by its title. Without a \
    title there, the title is the heading at the start of the text, or for a new record the file's name. \
    The text stays as it is. A folder means all .md, .markdown and .txt files below it; - is standard input, \
    which is text if it gets a name by --name. Text from standard input needs a title in its front matter, \
    or a heading.

    The record is named after the file. Files of an export, and those of a folder, keep their \
    sub-folders.

    A .json file holds answers of the API, v0 or v1: lists or single heroes, stories and custom events, \
    or one object with several lists; or it is the record file of a library. They become records named \
    after their titles; with --replace, those that exist are changed, if the title or an earlier import \
    of the same record says which. Ids are not kept: references to records of the same command, or of \
    this library, become names.

    An existing record is never replaced: with the same content it is left alone, otherwise it is an \
    error. With --replace, the fields in the file and its text are changed in the record, as if edited by \
    hand; the others stay, also with --hero and --language. The replaced versions are kept: `stories \
    undo` brings them back. Each file is checked as by `stories check` before it is written, and an \
    invalid one does not stop the others.
    """
  static let examples = [
    Example("stories import ../text", "all stories of an export"),
    Example("stories import snow.txt --hero luna", "a text without front matter"),
    Example("stories import - --name snow", "what another program writes"),
    Example("stories import heroes.json stories.json", "what an app exported"),
  ]
  static let parameters: [Parameter<ImportCommand>] = [
    .arguments(
      "FILE", \.words, help: "The files and folders, or - for standard input", isRequired: true,
      completion: .file),
    .option("name", value: "NAME", \.recordName, help: "The record's name, for a single file"),
    .option("in", value: "FOLDER", \.folder, help: "A folder below stories/"),
    .option(
      "hero", value: "HERO", \.hero, help: "The hero of stories that name none, or an unknown id",
      completion: .record),
    .option("language", value: "CODE", \.language, help: "The language of texts that name none"),
    .flag("replace", \.replaces, help: "Change existing records"),
    .flag("dry-run", \.isDryRun, help: "Show what would be written, without writing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if recordName?.isEmpty == true { throw UsageError(.missingValue(of: "--name", "NAME")) }
    let opened = try OpenLibrary(context, isWritten: true)
    let hero = try defaultHero(opened)
    var outcome = ImportOutcome(context: context)
    let sources = sources(context, &outcome)
    if recordName != nil, sources.count + outcome.failures.count > 1 {
      throw UsageError(.excluded("--name", by: "several files"))
    }
    for (option, value) in [("--name", recordName), ("--in", folder)] where value != nil {
      guard !sources.contains(where: \.isJSON) else {
        throw UsageError(.excluded(option, by: "a JSON file"))
      }
    }
    let isInterrupted: Bool
    (outcome, isInterrupted) = try await context.interruptible { [self, outcome] in
      try write(sources, hero, opened, outcome)
    }
    outcome.tell(isDryRun: isDryRun)
    let code = ExitCode.worst(outcome.failures.map(\.exitCode))
    return isInterrupted ? context.report(CancellationError()) : code
  }

  private func write(
    _ sources: [ImportSource], _ hero: RecordRef?, _ opened: OpenLibrary, _ outcome: ImportOutcome
  ) throws -> (ImportOutcome, isInterrupted: Bool) {
    var outcome = outcome
    var records: [IncomingRecord] = []
    for source in sources where !Task.isCancelled {
      outcome.attempt(source) { try read(source, &records, &$0) }
    }
    Self.nameApart(&records, in: opened.scan)
    var importer = RecordImporter(
      opened, of: records.map(\.ref), replaces: replaces, isDryRun: isDryRun,
      heroOfUnknown: self.hero == nil ? nil : hero)
    // Heroes and events come first, because stories reference them.
    for kind in EntityKind.writable {
      for record in records where record.ref.kind == kind && !Task.isCancelled {
        outcome.attempt(record.source, record) {
          $0.add(try importer.add(record, hero: kind == .stories ? hero : nil), record)
        }
      }
    }
    let isInterrupted = Task.isCancelled
    try importer.finish()
    return (outcome, isInterrupted)
  }

  /// Returns the hero of stories that name none: the one given, or the only one of the library.
  private func defaultHero(_ opened: OpenLibrary) throws -> RecordRef? {
    do { return try opened.hero(hero) } catch CommandError.heroNeeded { return nil }
  }

  // MARK: Reading

  private func sources(_ context: Context, _ outcome: inout ImportOutcome) -> [ImportSource] {
    var sources: [ImportSource] = []
    var seen: Set<String> = []
    for word in words {
      if word == "-" {
        sources.append(.standardInput(context, name: recordName))
        continue
      }
      let path = Path.absolute(word, in: context.folder)
      let resolved = Path.resolved(path) ?? path
      let isFolder = (try? FileSystem.status(resolved))??.type == .folder
      do {
        let files = isFolder ? try ImportSource.files(below: resolved) : [resolved]
        if isFolder, files.isEmpty { throw TransferError.noTexts }
        for file in files where seen.insert(file).inserted {
          do {
            sources.append(try ImportSource(file, below: isFolder ? resolved : nil, in: context))
          } catch {
            outcome.fail(error, file: context.shown(file))
          }
        }
      } catch {
        outcome.fail(error, file: context.shown(path))
      }
    }
    return sources
  }

  private func read(
    _ source: ImportSource, _ records: inout [IncomingRecord], _ outcome: inout ImportOutcome
  ) throws {
    guard !source.isJSON else {
      let answers = try AnswerFile(parsing: source.bytes, file: source.shown)
      for problem in answers.problems { outcome.fail(problem) }
      for list in answers.partialLists {
        outcome.warn(
          Problem(
            .partialList(source.shown, list.kind, count: list.count, total: list.total),
            severity: .warning, file: ""))
      }
      // They are named after their titles, the oldest first.
      for record in answers.records.sorted(by: {
        ($0.createdAt, $0.id ?? "") < ($1.createdAt, $1.id ?? "")
      }) {
        let schema = record.kind.schema
        let title = record.fields[schema.titleKey]?.string ?? ""
        let slug = Slug.make(title, fallback: schema.noun)
        records.append(
          IncomingRecord(
            ref: RecordRef(kind: record.kind, name: slug), values: record.fields, source: source,
            document: answers.document, offset: record.offset, offsets: record.offsets,
            id: record.id))
      }
      return
    }
    var text = try StoryText(parsing: source.bytes, file: source.shown)
    for problem in text.warnings { outcome.warn(problem) }
    text.completeTitle(fallback: nil)
    let ref = try storyName(source, text)
    var record = IncomingRecord(
      ref: ref, values: text.values, source: source, offsets: text.offsets)
    if let title = source.title { record.defaults["title"] = .string(title) }
    if let language { record.defaults["language"] = .string(language.rawValue) }
    records.append(record)
  }

  /// Returns the name of the record for a text: that of the file, or for standard input of the title.
  private func storyName(_ source: ImportSource, _ text: StoryText) throws -> RecordRef {
    var name = recordName ?? source.name ?? ""
    if name.isEmpty {
      guard let title = text.fields["title"]?.string else { throw TransferError.unnamed }
      name = Slug.make(title, fallback: "story")
    }
    let prefix = EntityKind.stories.folder + "/"
    if name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
    if name.hasSuffix(".json") { name.removeLast(5) }
    name = Path.join(EntityKind.stories.inner(folder ?? ""), name)
    guard RecordRef.isVisible(name) else {
      throw CommandError.badName(name, what: "a story's name")
    }
    return RecordRef(kind: .stories, name: name)
  }

  /// Gives records of JSON files with the same name different ones, in their order. One that an
  /// earlier import named by its id keeps that name.
  private static func nameApart(_ records: inout [IncomingRecord], in scan: Scan) {
    var taken = Set(records.filter { !$0.source.isJSON }.map(\.ref))
    for index in records.indices where records[index].source.isJSON {
      let ref = records[index].ref
      var name = ref.name
      var attempt = 0
      if let id = records[index].id {
        let distinguished = Slug.distinguished(ref.name, id: id)
        if scan.entry(RecordRef(kind: ref.kind, name: distinguished)) != nil {
          name = distinguished
        }
      }
      while !taken.insert(RecordRef(kind: ref.kind, name: name)).inserted {
        name = Slug.distinguished(ref.name, id: records[index].id ?? "", attempt: attempt)
        attempt += 1
      }
      records[index].ref = RecordRef(kind: ref.kind, name: name)
    }
  }
}
