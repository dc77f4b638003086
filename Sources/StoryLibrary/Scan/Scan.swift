import Synchronization

/// The result of scanning a library.
public struct Scan: Sendable {
  /// The records, ordered by kind in creation order, then by name.
  public var entries: [ScanEntry] = [] {
    didSet { lookup = nil }
  }
  /// The lookup tables, or `nil` if the entries have changed since ``noteOrder()``.
  private var lookup: Lookup?
  /// The names and ids of records that can be referenced.
  public var references = ReferenceTable()
  /// Sidecars without a record that duplicate the id of another pair, or of another sidecar without
  /// a record that takes precedence: remains of a copy, a merge or a crash.
  public var staleSidecars: [RecordRef] = []
  /// Records that were seen with their sidecars and are missing together with them, by name. They
  /// are not deleted on the server; a pull restores them.
  public internal(set) var missingPairs: [SeenPair] = []
  /// The records that are not on this machine, but were not deleted.
  public var awaited: [RecordRef] {
    entries.filter(\.isAwaited).map(\.ref) + missingPairs.filter { !$0.isTakenByGit }.map(\.ref)
  }
  /// The kinds with a folder or name that could not be read, as reported in ``problems``. Nothing
  /// of these kinds is deleted, since a record that seems to be missing may exist.
  public internal(set) var incompleteKinds: Set<EntityKind> = []
  /// Stale temporary files of interrupted runs, relative to the library's root; see ``StaleFiles``.
  public var staleFiles: [String] = []
  /// Problems that do not belong to a record, such as links among the folders.
  public var problems: [Problem] = []
  /// The ``problems`` of folders and names that may hide records.
  public var hidingProblems: [Problem] {
    problems.filter { $0.code == .unreadable && $0.severity == .error }
  }

  /// The read-only kinds of the scan, for ``Scanner/earlier``.
  var sums: [EntityKind: Sum] = [:]

  struct Sum: Sendable {
    /// The sum of all names and keys.
    var walk: UInt64
    /// The entries as they were read, without what other records say of them.
    var entries: [ScanEntry]
  }

  /// Creates an empty scan.
  public init() {}

  /// Returns the entry of a record, or `nil`.
  public func entry(_ ref: RecordRef) -> ScanEntry? {
    guard lookup != nil else { return entries.first { $0.ref == ref } }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].ref < ref { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].ref == ref ? entries[low] : nil
  }

  /// Returns the first entry whose record has an id on the server, or `nil`.
  public func entry(id: String, of kind: EntityKind) -> ScanEntry? {
    entries(naming: id, of: kind).first { $0.id != nil }
  }

  /// Returns whether any sidecar of `kind` references `id`, including ambiguous ones. Such a record is
  /// not new.
  public func isNamed(_ id: String, of kind: EntityKind) -> Bool {
    !entries(naming: id, of: kind).isEmpty
  }

  /// Returns the entry whose sidecar references an id, preferably unambiguously, or `nil`.
  public func referrer(of id: String, of kind: EntityKind) -> ScanEntry? {
    let referrers = entries(naming: id, of: kind)
    return referrers.first { $0.id != nil } ?? referrers.first
  }

  /// Returns the entries whose sidecars have an id: several if a pair was copied.
  package func entries(id: String, of kind: EntityKind) -> [ScanEntry] {
    entries(naming: id, of: kind).filter { $0.id == id }
  }

  private func entries(naming id: String, of kind: EntityKind) -> [ScanEntry] {
    guard let table = lookup?.table(of: entries) else {
      return entries.filter { $0.ref.kind == kind && $0.namedIDs.contains(id) }
    }
    return table[ScanEntry.Key(kind: kind, id: id)].map { entries[$0] }
  }

  /// Returns the records that reference any of `refs`, and the unreadable ones that may.
  public func possibleReferrers(of refs: Set<RecordRef>) -> [RecordRef] {
    let named = Set(refs.map(\.kind))
    let kinds = Set(
      EntityKind.writable.filter { kind in
        !named.isDisjoint(with: kind.schema.references.compactMap(\.referencedKind))
      })
    return entries.filter {
      kinds.contains($0.ref.kind) && $0.hasRecord
        && ($0.state == .unreadable || !refs.isDisjoint(with: $0.targets))
    }.map(\.ref)
  }

  /// Adds the problems of files that git has not merged, except those with conflict markers, which
  /// say the same.
  mutating func note(unmerged: [Problem]) {
    guard !unmerged.isEmpty else { return }
    let marked = Set(
      entries.lazy.flatMap(\.problems).filter { $0.code == .conflictMarkers }.map(\.file))
    problems += unmerged.filter { !marked.contains($0.file) }
  }

  /// Allows lookup tables to be built, which are valid until the entries change.
  mutating func noteOrder() { lookup = Lookup() }

  /// The indices of entries of one kind that share an id. Requires ``noteOrder()``.
  var twins: [[Int]] {
    // An entry with several possible ids does not count.
    let shared = lookup?.table(of: entries).shared ?? [:]
    return shared.values.map { $0.filter { entries[$0].id != nil } }.filter { $0.count > 1 }
      .sorted { $0[0] < $1[0] }
  }

  /// The indices of entries by id, built when they are first needed: `status` needs none.
  private final class Lookup: Sendable {
    private let table = Mutex<LookupTable?>(nil)

    func table(of entries: [ScanEntry]) -> LookupTable {
      table.withLock { table in
        if let table { return table }
        let made = LookupTable(entries)
        table = made
        return made
      }
    }
  }

  private struct LookupTable {
    /// The index of the first entry that has or may have an id.
    private var places: [ScanEntry.Key: Int]
    /// The indices of all entries that have or may have an id, if there are several.
    private(set) var shared: [ScanEntry.Key: [Int]] = [:]

    init(_ entries: [ScanEntry]) {
      places = Dictionary(minimumCapacity: entries.count)
      // Access by index, because copying every entry takes longer.
      for place in entries.indices {
        let kind = entries[place].ref.kind
        if let id = entries[place].id {
          note(ScanEntry.Key(kind: kind, id: id), at: place)
        } else {
          for id in entries[place].possibleIDs {
            note(ScanEntry.Key(kind: kind, id: id), at: place)
          }
        }
      }
    }

    subscript(key: ScanEntry.Key) -> [Int] { shared[key] ?? places[key].map { [$0] } ?? [] }

    private mutating func note(_ key: ScanEntry.Key, at place: Int) {
      if let first = places.updateValue(place, forKey: key) {
        places[key] = first
        shared[key, default: [first]].append(place)
      }
    }
  }

  /// The error of a sidecar that a newer program has written, if there is one: nothing may be changed then.
  public var newerSidecar: LibraryError? {
    for problem in entries.lazy.flatMap(\.problems) {
      if case .newerSidecar(let version) = problem.what {
        return .newerVersion(version, file: problem.file)
      }
    }
    return nil
  }

  /// The number of records in each state that occurs.
  public var counts: [RecordState: Int] {
    entries.indices.reduce(into: [:]) { $0[entries[$1].state, default: 0] += 1 }
  }

  /// Returns the records in a state.
  package func refs(_ state: RecordState) -> [RecordRef] {
    entries.indices.filter { entries[$0].state == state }.map { entries[$0].ref }
  }

  /// Returns the names that a new record of a kind cannot have, as ``Slug/collisionKey(_:)``.
  ///
  /// These are the names of records, of sidecars that have not followed a rename yet, and of stale
  /// sidecars: a name is available only when no sidecar has it any more.
  /// - Parameters:
  ///   - kind: The kind.
  ///   - count: The number of names that the caller is about to add.
  package func takenNames(of kind: EntityKind, adding count: Int = 0) -> Set<String> {
    var names = Set<String>(minimumCapacity: entries.count + count)
    for entry in entries where entry.ref.kind == kind {
      names.insert(Slug.collisionKey(entry.ref.name))
      if let old = entry.renamedFrom { names.insert(Slug.collisionKey(old.name)) }
    }
    for ref in staleSidecars where ref.kind == kind { names.insert(Slug.collisionKey(ref.name)) }
    return names
  }

  /// Returns whether a name is that of a stale sidecar and becomes available at the next sync.
  public func isStale(_ ref: RecordRef) -> Bool {
    staleSidecars.contains { stale in
      stale.kind == ref.kind && Slug.collisionKey(stale.name) == Slug.collisionKey(ref.name)
    }
  }
}
