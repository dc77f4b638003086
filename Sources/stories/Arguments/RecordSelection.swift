import StoryLibrary

/// The records selected on a command line, by name, by folder or by kind.
struct RecordSelection: Sendable {
  var records: Set<RecordRef> = []
  /// The kinds of which all records are selected, also those that come to light later.
  var kinds: Set<EntityKind> = []

  func contains(_ ref: RecordRef) -> Bool { kinds.contains(ref.kind) || records.contains(ref) }

  /// Returns whether a file or folder, relative to the library's root, is one of the selection, or holds
  /// records of it.
  func concerns(_ path: String) -> Bool {
    kinds.contains { (path + "/").hasPrefix($0.folder + "/") }
      || records.contains { $0.path == path || $0.path.hasPrefix(path + "/") }
  }

  /// Adds what a word names: records, or kinds of `all`.
  ///
  /// - Throws: `CommandError` for a word without a record.
  mutating func add(
    _ word: String, of all: [EntityKind], _ resolver: RefResolver
  ) throws(CommandError) {
    let named = resolver.kinds(word, of: all)
    if named.isEmpty { records.formUnion(try resolver.match(word).records) }
    kinds.formUnion(named)
  }
}
