import StoryLibrary
import StorySync

/// Everything in a library that waits for a person's decision.
struct ConflictSet: Sendable {
  /// One record that waits.
  struct Item: Sendable {
    /// What has to be decided.
    enum Question: Sendable {
      /// Which value each of these fields has.
      case fields([ConflictResolver.Field])
      /// Whether a record that was edited here and deleted on the server stays.
      case deletedOnServer
      /// Whether a record that was deleted here and edited on the server comes back.
      case deletedHere
      /// Which of the server's records a sidecar speaks of.
      case split(ConflictResolver.SplitSidecar)
    }

    var entry: ScanEntry
    var question: Question

    var ref: RecordRef { entry.ref }

    /// The fields that wait; none where the record as a whole does.
    var fields: [ConflictResolver.Field] {
      if case .fields(let fields) = question { fields } else { [] }
    }

    /// The word for the question in JSON.
    var kind: String {
      switch question {
      case .fields: "fields"
      case .deletedOnServer: "deletedOnServer"
      case .deletedHere: "deletedHere"
      case .split: "sidecar"
      }
    }
  }

  let library: Library
  let scan: Scan
  /// The records that wait, in the library's order.
  private(set) var items: [Item]

  /// What waits in a library.
  init(_ library: Library, _ scan: Scan) {
    self.library = library
    self.scan = scan
    let resolver = ConflictResolver(library)
    var questions: [RecordRef: Item.Question] = [:]
    for conflict in resolver.conflicts(in: scan) {
      switch conflict.kind {
      case .fields: questions[conflict.ref] = .fields(conflict.fields)
      case .deletedOnServer: questions[conflict.ref] = .deletedOnServer
      case .deletedHere: questions[conflict.ref] = .deletedHere
      }
    }
    for split in resolver.splitSidecars(in: scan) { questions[split.ref] = .split(split) }
    items = scan.entries.compactMap { entry in
      questions[entry.ref].map { Item(entry: entry, question: $0) }
    }
  }

  /// Only what some words of a command line name; everything for no word.
  ///
  /// - Throws: `CommandError` as `RefResolver.records(_:)`; `EditError.noConflict` for a record that
  ///   does not wait; `ConflictError.nothingInConflict` where words name records, but none that
  ///   waits.
  func named(_ words: [String], _ context: Context) throws -> ConflictSet {
    guard !words.isEmpty else { return self }
    let resolver = RefResolver(scan, of: library, context: context)
    let refs = Set(try resolver.records(words))
    var result = self
    result.items = items.filter { refs.contains($0.ref) }
    if result.items.isEmpty {
      throw refs.count == 1
        ? EditError.noConflict(refs[refs.startIndex]) as any Error
        : ConflictError.nothingInConflict
    }
    return result
  }

  /// Only these records.
  func only(_ refs: [RecordRef]) -> ConflictSet {
    var result = self
    result.items = items.filter { refs.contains($0.ref) }
    return result
  }

  /// Makes sure that each of the fields waits in some record.
  ///
  /// - Throws: `ConflictError.fieldNotInConflict`.
  func check(fields keys: [String]) throws(ConflictError) {
    let known = Set(items.flatMap { $0.fields.map(\.field.key) })
    if let unknown = keys.first(where: { !known.contains($0) }) {
      throw .fieldNotInConflict(unknown, known: known.sorted())
    }
  }

  var reader: RecordReader { RecordReader(library: library, references: scan.references) }
}
