import StoryLibrary

/// The reason why records cannot be changed as requested.
enum EditingError: Error, Sendable, Equatable {
  /// A folder was given, which only `-r` allows.
  case isFolder(String, count: Int)
  /// A name that is invalid for the kind.
  case badNewName(String, EntityKind)
}

extension ErrorReport {
  init(_ error: EditingError) {
    switch error {
    case .isFolder(let word, let count):
      self.init(
        "several-records", "“\(word)” names \(Phrases.count(count, "record"))",
        hint: "to remove all of them: stories rm -r \(word)", exitCode: .wrongUsage)
    case .badNewName(let word, let kind):
      self.init(
        "bad-name", "“\(word)” cannot be a \(kind.schema.noun)'s name",
        hint: "write it like \(kind.folder)/\(Slug.make(word, fallback: kind.schema.noun))",
        exitCode: .wrongUsage)
    }
  }
}
