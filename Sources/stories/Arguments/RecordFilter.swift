import JSONText
import StoryLibrary

/// The records that a command lists or searches: those of some kinds and folders, with some values.
struct RecordFilter: Sendable {
  /// A kind, by its folder or its noun, or a folder or record as ``RefResolver`` knows them.
  struct Place: ArgumentValue {
    var word: String

    var kind: EntityKind? { EntityKind(named: word) }

    static let choices = EntityKind.allCases.map(\.rawValue)

    static func parse(_ word: String) throws(ValueProblem) -> Place { Place(word: word) }
  }

  var places: [Place] = []
  var heroes: [String] = []
  var events: [String] = []
  var languages: [NewStoryCommand.Language] = []
  var states: [RecordState] = []
  var isFavorite = false

  /// The options of the filter, without its places.
  static let parameters: [Parameter<RecordFilter>] = [
    .option(
      "hero", value: "HERO", \.heroes, help: "Only stories about this hero", completion: .record),
    .option(
      "event", value: "EVENT", \.events, help: "Only stories about this event",
      completion: .record),
    .option("language", value: "CODE", \.languages, help: "Only stories in this language"),
    .flag("favorite", \.isFavorite, help: "Only favorites"),
    .option("state", value: "STATE", \.states, help: "Only records in this state"),
  ]

  /// Whether illustrations are asked for, which only some commands scan.
  var namesIllustrations: Bool {
    places.contains {
      $0.kind == .illustrations || $0.word.contains(EntityKind.illustrations.folder + "/")
    }
  }

  /// Whether ``admits(_:)`` depends on a record's content.
  var needsContent: Bool { !languages.isEmpty || isFavorite }

  /// Returns the entries of a scan that the filter admits, apart from their content. Illustrations
  /// are included only if they are asked for.
  ///
  /// - Throws: `CommandError` if a word names no record; `UsageError` if it is almost a kind.
  func entries(of opened: OpenLibrary) throws -> [ScanEntry] {
    let selection = try selection(opened)
    let heroes = try targets(heroes, .heroes, opened)
    let events = try targets(events, .events, opened)
    return opened.scan.entries.filter { entry in
      let isPlaced =
        places.isEmpty ? !entry.ref.kind.schema.isReadOnly : selection.contains(entry.ref)
      return isPlaced && (states.isEmpty || states.contains(entry.state))
        && heroes.map { !$0.isDisjoint(with: entry.targets) } ?? true
        && events.map { !$0.isDisjoint(with: entry.targets) } ?? true
    }
  }

  /// Returns whether a record's content has the values that are asked for.
  func admits(_ content: RecordContent?) -> Bool {
    guard needsContent else { return true }
    guard let content else { return false }
    let isLanguage =
      languages.isEmpty || languages.contains { $0.rawValue == content["language"].string }
    return isLanguage && (!isFavorite || content["isFavorite"].bool == true)
  }

  /// The records and kinds of the places.
  private func selection(_ opened: OpenLibrary) throws -> RecordSelection {
    var selection = RecordSelection(kinds: Set(places.compactMap(\.kind)))
    let words = places.filter { $0.kind == nil }.map(\.word)
    guard !words.isEmpty else { return selection }
    let resolver = opened.resolver()
    for word in words {
      do throws(CommandError) {
        selection.records.formUnion(try resolver.match(word).records)
      } catch {
        guard case .noSuchRecord(_, _, nil) = error else { throw error }
        let problem = ValueProblem.oneOf(Place.choices, not: word)
        guard problem.nearest != nil else { throw error }
        throw UsageError(.wrongValue(of: "WHERE", word, problem))
      }
    }
    return selection
  }

  /// The records that stories are to reference one of, by their present and former names; `nil` if
  /// any will do.
  private func targets(
    _ words: [String], _ kind: EntityKind, _ opened: OpenLibrary
  ) throws -> Set<RecordRef>? {
    guard !words.isEmpty else { return nil }
    let resolver = opened.resolver(kind)
    var refs = Set(
      try words.flatMap { word throws(CommandError) in try resolver.match(word).records })
    for entry in opened.scan.entries {
      if let old = entry.renamedFrom, refs.contains(entry.ref) { refs.insert(old) }
    }
    return refs
  }
}

extension RecordState: ChoiceArgument {}

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
    let named = try resolver.kinds(word, of: all)
    if named.isEmpty { records.formUnion(try resolver.match(word).records) }
    kinds.formUnion(named)
  }
}
