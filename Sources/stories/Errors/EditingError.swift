import StoryLibrary
import StorySync

/// The reason why records cannot be changed as requested.
enum EditingError: Error, Sendable, Equatable {
  /// A folder was given, which only `-r` allows.
  case isFolder(String, count: Int)
  case badNewName(String, EntityKind)
  case notAStory(RecordRef)
  /// A text and the record's file were both changed, in these fields.
  case changedOnDisk(RecordRef, fields: [String])
  /// The record's file was removed while its editor was open, or before.
  case removed(RecordRef)
}

extension EditingError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .isFolder(let word, let count):
      .misuse(
        "several-records", "“\(word)” names \(Phrases.count(count, "record"))",
        hint: "to remove all of them: stories rm -r \(ShellWord.quoting(word))")
    case .badNewName(let word, let kind):
      .misuse(
        "bad-name", "“\(word)” cannot be \(kind.schema.nounWithArticle)'s name",
        hint: "write it like \(kind.folder)/\(Slug.make(word, fallback: kind.schema.noun))")
    case .notAStory(let ref):
      .misuse(
        "not-a-story", "\(ref) is not a story, and only stories are edited as text",
        hint: "stories edit \(ref.word)")
    case .changedOnDisk(let ref, let fields):
      .init(
        "changed-meanwhile",
        "\(ref.path) was changed meanwhile, in \(Phrases.list(fields.map { "“\($0)”" })) too",
        hint: "your text was not written back: open the story again, and copy from it")
    case .removed(let ref):
      .init(
        "removed", EditError.removed(ref).report.message, hint: EditError.removed(ref).report.hint)
    }
  }
}
