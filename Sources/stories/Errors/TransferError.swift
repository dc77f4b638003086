import StoryLibrary

/// The reason why a story is not exported, or a file not imported.
enum TransferError: Error, Sendable, Equatable {
  /// A file in the folder of an export is not what an export wrote.
  case notExported(path: String)
  /// The text of a record would be another record when it is imported.
  case doesNotReadBack(RecordRef)
  /// A record exists, and the imported one differs; `isJSON` if that is from a JSON file, in which
  /// records are named after their titles.
  case exists(RecordRef, path: String, isJSON: Bool)
  case sameRecord(String, String)
  case noTexts
  case ambiguousTitle(String, [RecordRef])
  /// The title of a record to replace is that of several.
  case sharedTitle(String, [RecordRef])
  /// A record of the same file that another one references was not imported.
  case missingReference(EntityKind, id: String, isInFile: Bool)
  /// Standard input has neither a name nor a title.
  case unnamed
}

extension TransferError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .notExported(let path):
      .init(
        "not-exported", "\(context.shown(path)) was not written by an export, or was edited since",
        hint: "move it elsewhere, or replace it: \(context.again(adding: "--force"))")
    case .doesNotReadBack(let ref):
      .init(
        "not-exported", "\(ref) cannot be written as a text that reads back the same",
        hint: "this is a bug in stories; please report it with \(ref.path)")
    case .exists(let ref, let path, let isJSON):
      .init(
        "name-taken", "\(path) already exists and differs",
        hint: "for a new record, "
          + (isJSON
            ? "change its “\(ref.kind.schema.titleKey)”"
            : "rename the file, or give one file another --name")
          + "; to change this one: \(context.again(adding: "--replace"))")
    case .sameRecord(let first, let second):
      .init(
        "name-taken", "\(first) and \(second) are for the same record",
        hint: "import one of them, or rename a file")
    case .noTexts:
      .init(
        "no-record", "there are no text files in this folder",
        hint: "texts are .md, .markdown and .txt; name .json files one by one")
    case .ambiguousTitle(let title, let refs):
      .init(
        "ambiguous-name",
        "“\(title)” is ambiguous: \(Phrases.list(refs.prefix(3).map(\.description)))",
        hint: "write the name of the file, such as \(refs.first?.name ?? title)")
    case .sharedTitle(let title, let refs):
      .init(
        "ambiguous-name",
        "“\(title)” is the title of \(Phrases.list(refs.prefix(3).map(\.description)))",
        hint: "change the one that you mean in its file, or the title of the new one")
    case .missingReference(let kind, _, isInFile: true):
      .init(
        "no-record", "its \(kind.schema.noun) was not imported",
        hint: "correct the \(kind.schema.noun) first, then run the same command again")
    case .missingReference(let kind, let id, isInFile: false):
      .init(
        "no-record", "there is no \(kind.schema.noun) with the id “\(id)” here",
        hint: "import its \(kind.schema.noun) in the same command"
          + (kind == .heroes ? ", or give --hero" : ""))
    case .unnamed:
      .misuse(
        "missing-option", "standard input has no title and no name",
        hint: "give it a name: --name first-snow")
    }
  }
}
