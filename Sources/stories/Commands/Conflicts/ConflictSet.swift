import StoryLibrary
import StorySync

struct ConflictSet: Sendable {
  struct Item: Sendable {
    enum Question: Sendable {
      /// How to resolve a conflict of a sync.
      case sync(ConflictResolver.Conflict)
      /// Which of the server's records a sidecar belongs to.
      case split(ConflictResolver.SplitSidecar)
      /// The members between git's conflict markers.
      case marked(ConflictResolver.MarkedRecord)
    }

    var entry: ScanEntry
    var question: Question
    /// The digest of the versions that the question is about, or of earlier ones: an answer settles
    /// nothing that the question did not show.
    var digest: ContentDigest

    var ref: RecordRef { entry.ref }

    /// The fields in conflict; empty if the record as a whole is in conflict.
    var fields: [FieldVersions] {
      switch question {
      case .sync(let conflict): conflict.fields
      case .marked(let record): record.isTwoRecords ? [] : record.fields
      case .split: []
      }
    }

    var keys: [String] { fields.map(\.field.key) }

    /// Whether each field is decided, not the record as a whole.
    var asksFields: Bool {
      if case .sync(let conflict) = question { conflict.kind == .fields } else { !fields.isEmpty }
    }

    /// The record's file with git's conflict markers, or `nil` for a conflict of a sync.
    var marked: ConflictResolver.MarkedRecord? {
      if case .marked(let record) = question { record } else { nil }
    }

    /// The names of the two sides, as the question shows them.
    var sides: (local: String, server: String) {
      guard let labels = marked?.labels else { return ("local", "server") }
      func name(_ side: String, _ label: String) -> String {
        label.isEmpty ? side : "\(side) (\(label))"
      }
      return (name("local", labels.local), name("server", labels.server))
    }

    /// The sides in the report on a resolved conflict.
    var outcomes: (local: String, server: String) {
      guard let labels = marked?.labels else {
        return ("the local version", "the server's version")
      }
      return (
        "local, git's “\(labels.local.isEmpty ? "ours" : labels.local)”",
        "server, git's “\(labels.server.isEmpty ? "theirs" : labels.server)”"
      )
    }

    /// Whether it needs no decision, or cannot get one: git's markers around what can be merged, or
    /// around what cannot be read.
    var needsNoChoice: Bool { marked.map { $0.fields.isEmpty && !$0.isTwoRecords } ?? false }

    /// Whether values of both versions may be combined.
    var canBeMerged: Bool { marked.map { !$0.isTwoRecords } ?? !fields.isEmpty }

    /// Whether there are two versions to choose from. A record with broken markers has to be edited.
    var canBeResolved: Bool { marked?.problem == nil }

    var words: String {
      switch question {
      case .sync(let conflict) where conflict.kind == .fields: Phrases.count(fields.count, "field")
      case .sync(let conflict): conflict.kind.words
      case .split: "its sidecar contains two server records"
      case .marked(let record) where record.problem != nil: "git's conflict markers"
      case .marked(let record) where record.isTwoRecords: "git's conflict markers: two records"
      case .marked(let record):
        "git's conflict markers: "
          + (record.fields.isEmpty
            ? "can be merged" : Phrases.count(record.fields.count, "field"))
      }
    }

    /// The effects of the two answers about a record as a whole.
    var effects: (local: String, server: String) {
      switch question {
      case .marked: ("the whole of \(outcomes.local)", "the whole of \(outcomes.server)")
      case .sync(let conflict) where conflict.kind == .deletedLocally:
        ("delete it on the server too", "bring back the server's version")
      case .sync:
        (
          "keep it; the next push creates it again",
          "delete it locally too; `stories restore \(ref.word)` brings it back"
        )
      case .split(let split):
        (
          "the record of the branch that was checked out: \(split.ours.words)",
          "the record of the branch that was merged: \(split.theirs.words)"
        )
      }
    }

    var kind: String {
      switch question {
      case .sync(let conflict):
        switch conflict.kind {
        case .fields: "fields"
        case .deletedOnServer: "deletedOnServer"
        case .deletedLocally: "deletedHere"
        }
      case .split: "sidecar"
      case .marked: "git"
      }
    }
  }

  let library: Library
  let scan: Scan
  private(set) var items: [Item]

  /// Finds the conflicts of a library.
  ///
  /// - Parameter hasMarked: Whether to include records with git's conflict markers.
  init(_ library: Library, _ scan: Scan, hasMarked: Bool = true) {
    self.library = library
    self.scan = scan
    let resolver = ConflictResolver(library)
    // The files are read after their digests.
    let digests = Dictionary(
      scan.entries.lazy.filter { $0.conflict != nil || $0.hasErrors }
        .map { ($0.ref, resolver.digest(of: $0)) }
    ) { first, _ in first }
    var questions: [RecordRef: Item.Question] = [:]
    for conflict in resolver.conflicts(in: scan) { questions[conflict.ref] = .sync(conflict) }
    for split in resolver.splitSidecars(in: scan) { questions[split.ref] = .split(split) }
    for record in hasMarked ? resolver.markedRecords(in: scan.entries) : [] {
      questions[record.ref] = .marked(record)
    }
    items = scan.entries.compactMap { entry in
      questions[entry.ref].map {
        Item(entry: entry, question: $0, digest: digests[entry.ref] ?? resolver.digest(of: entry))
      }
    }
  }

  /// Returns the conflicts of the given records; all without words.
  ///
  /// - Throws: `CommandError` as `RefResolver.records(_:)`; `ConflictResolver.refusal(of:)` for
  ///   a record that is not in conflict; `ConflictError.nothingInConflict` if words match only such records.
  func named(_ words: [String], _ context: Context) throws -> ConflictSet {
    guard !words.isEmpty else { return self }
    let refs = try RefResolver(scan, of: library, context: context).records(words)
    let result = only(refs)
    if result.items.isEmpty {
      guard refs.count == 1, let entry = scan.entry(refs[0]) else {
        throw ConflictError.nothingInConflict
      }
      throw ConflictResolver.refusal(of: entry)
    }
    return result
  }

  func only(_ refs: [RecordRef]) -> ConflictSet {
    let refs = Set(refs)
    var result = self
    result.items = items.filter { refs.contains($0.ref) }
    return result
  }

  /// Checks that each of the fields is in conflict in some record.
  func check(fields keys: [String]) throws(ConflictError) {
    let known = Set(items.flatMap { $0.fields.map(\.field.key) })
    if let unknown = keys.first(where: { !known.contains($0) }) {
      throw .fieldNotInConflict(unknown, known: known.sorted())
    }
  }

  var reader: RecordReader { RecordReader(library: library, references: scan.references) }

  /// Returns the fields to decide, or for a record that one side deleted, those that the other one
  /// changed.
  func changes(of item: Item) -> [RecordDiff.FieldChange] {
    switch item.question {
    case .marked(let record):
      return record.fields.map {
        RecordDiff.FieldChange(field: $0.field, base: $0.base, local: $0.local, server: $0.server)
      }
    case .sync:
      let changes = RecordDiff(item.entry, reader)?.changes ?? []
      return item.asksFields ? changes.filter { $0.server != nil } : changes
    case .split: return []
    }
  }

  func draft(of item: Item, _ fields: [FieldVersions]) -> ConflictDraft {
    ConflictDraft(
      item.ref, fields, references: scan.references, sidecar: reader.sidecar(of: item.entry),
      labels: item.sides, isOfFile: item.marked != nil)
  }
}

extension ConflictKind {
  var words: String {
    switch self {
    case .fields: "in conflict"
    case .deletedOnServer: "kept locally, deleted on the server"
    case .deletedLocally: "deleted locally, edited on the server"
    }
  }
}

extension Sidecar {
  fileprivate var words: String {
    "\(base.title.map { "“\($0)”" } ?? "a record without a title"), id \(id), changed \(updatedAt)"
  }
}
