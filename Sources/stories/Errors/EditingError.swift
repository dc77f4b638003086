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

extension ErrorReport {
  init(_ error: EditingError) {
    switch error {
    case .isFolder(let word, let count):
      self.init(
        "several-records", "“\(word)” names \(Phrases.count(count, "record"))",
        hint: "to remove all of them: stories rm -r \(ShellWord.quoting(word))",
        exitCode: .wrongUsage)
    case .badNewName(let word, let kind):
      self.init(
        "bad-name", "“\(word)” cannot be \(kind.schema.nounWithArticle)'s name",
        hint: "write it like \(kind.folder)/\(Slug.make(word, fallback: kind.schema.noun))",
        exitCode: .wrongUsage)
    case .notAStory(let ref):
      self.init(
        "not-a-story", "\(ref) is not a story, and only stories are edited as text",
        hint: "stories edit \(ref.word)", exitCode: .wrongUsage)
    case .changedOnDisk(let ref, let fields):
      let names = Phrases.list(fields.map { "“\($0)”" })
      self.init(
        "changed-meanwhile", "\(ref.path) was changed meanwhile, in \(names) too",
        hint: "your text was not written back: open the story again, and copy from it",
        exitCode: .failed)
    case .removed(let ref):
      self.init(
        "removed", EditError.removed(ref).message, hint: EditError.removed(ref).hint,
        exitCode: .failed)
    }
  }
}
