import StoryLibrary

/// Why the command line's records cannot be changed as it says.
enum EditingError: Error, Sendable, Equatable {
  /// A folder of records is named where only `-r` takes one.
  case isFolder(String, count: Int)
  /// A name that no record of the kind can have.
  case badNewName(String, EntityKind)
}

extension ErrorReport {
  /// Records that cannot be changed as the command line says.
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
