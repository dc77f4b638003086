/// What the scanner found in a library.
public struct Scan: Sendable {
  /// The records, ordered by kind as they are created on a server, then by name.
  public var entries: [ScanEntry] = [] {
    didSet { isOrdered = false }
  }
  /// Whether the entries are known to be in order, and ``places`` to be theirs.
  private var isOrdered = false
  /// The place of the first entry that has an id or may have it.
  private var places: [ScanEntry.Key: Int] = [:]
  /// The places of all entries that have or may have an id, if they are several.
  private var shared: [ScanEntry.Key: [Int]] = [:]
  /// The names and ids of the records that others name.
  public var references = ReferenceTable()
  /// Sidecars without a record whose id another pair has, or another sidecar without one that counts
  /// more: remains of a copy, a merge or a run that died.
  public var staleSidecars: [RecordRef] = []
  /// Records that were here with their sidecars and are gone together with them, by name. They are not
  /// deleted on the server, and a pull brings them back.
  public internal(set) var missingPairs: [MissingPair] = []
  /// The kinds of which some folder or name could not be read; ``problems`` says which. What seems to
  /// be gone of them may be there, so nothing of them is deleted.
  public internal(set) var incompleteKinds: Set<EntityKind> = []
  /// Temporary files of a run that was interrupted, relative to the library's root; see
  /// ``Leftovers``.
  public var leftovers: [String] = []
  /// What is wrong beside single records, such as links among the folders.
  public var problems: [Problem] = []

  /// A scan that found nothing.
  public init() {}

  /// The entry of a record; `nil` where there is none.
  public func entry(_ ref: RecordRef) -> ScanEntry? { place(of: ref).map { entries[$0] } }

  /// The place of a record among the entries; `nil` where it has none.
  func place(of ref: RecordRef) -> Int? {
    guard isOrdered else { return entries.firstIndex { $0.ref == ref } }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].ref < ref { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].ref == ref ? low : nil
  }

  /// The entry of the record that has an id on the server, the first of several; `nil` if there is
  /// none.
  public func entry(id: String, of kind: EntityKind) -> ScanEntry? {
    entries(naming: id, of: kind).first { $0.id != nil }
  }

  /// Returns whether any sidecar of `kind` references `id`, including ambiguous ones. Such a record is
  /// not new.
  public func isNamed(_ id: String, of kind: EntityKind) -> Bool {
    !entries(naming: id, of: kind).isEmpty
  }

  /// The entry whose sidecar names an id, be it as one of several; of more than one the first that has
  /// no other. `nil` if none does.
  public func namer(of id: String, of kind: EntityKind) -> ScanEntry? {
    let namers = entries(naming: id, of: kind)
    return namers.first { $0.id != nil } ?? namers.first
  }

  private func entries(naming id: String, of kind: EntityKind) -> [ScanEntry] {
    guard isOrdered else {
      return entries.filter { $0.ref.kind == kind && $0.namedIDs.contains(id) }
    }
    let key = ScanEntry.Key(kind: kind, id: id)
    return (shared[key] ?? places[key].map { [$0] } ?? []).map { entries[$0] }
  }

  /// Returns the records that name some of others in their files, or that may: those that cannot be
  /// read.
  public func possibleNamers(of refs: Set<RecordRef>) -> [RecordRef] {
    let named = Set(refs.map(\.kind))
    let kinds = Set(
      EntityKind.writable.filter { kind in
        !named.isDisjoint(with: kind.schema.fields.compactMap(\.referencedKind))
      })
    return entries.filter {
      kinds.contains($0.ref.kind) && $0.hasRecord
        && ($0.state == .unreadable || !refs.isDisjoint(with: $0.targets))
    }.map(\.ref)
  }

  /// Makes it quick to find entries, until they change.
  mutating func noteOrder() {
    places = Dictionary(minimumCapacity: entries.count)
    shared = [:]
    // By places here and elsewhere, as a copy of each entry takes longer than a look at it.
    for place in entries.indices {
      if let id = entries[place].id {
        note(id, at: place)
      } else {
        for id in entries[place].possibleIDs { note(id, at: place) }
      }
    }
    isOrdered = entries.indices.dropFirst().allSatisfy { entries[$0 - 1].ref < entries[$0].ref }
  }

  private mutating func note(_ id: String, at place: Int) {
    let key = ScanEntry.Key(kind: entries[place].ref.kind, id: id)
    if let first = places.updateValue(place, forKey: key) {
      places[key] = first
      shared[key, default: [first]].append(place)
    }
  }

  /// The places of entries of one kind that have one id, for each id that several have; to be asked
  /// after ``noteOrder()``.
  var twins: [[Int]] {
    // What may have several ids is no twin of any.
    shared.values.map { $0.filter { entries[$0].id != nil } }.filter { $0.count > 1 }
      .sorted { $0[0] < $1[0] }
  }

  /// Records whose sidecar was written by a newer version of this program: nothing may be changed.
  public var newerSidecars: [RecordRef] {
    entries.filter { $0.problems.contains { $0.code == .newerVersion } }.map(\.ref)
  }

  /// How many records are in each state that occurs.
  public var counts: [RecordState: Int] {
    entries.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
  }

  /// The records in a state.
  package func refs(_ state: RecordState) -> [RecordRef] {
    entries.indices.filter { entries[$0].state == state }.map { entries[$0].ref }
  }

  /// The names that a new record of a kind may not get, as ``Slug/collisionKey(_:)``.
  ///
  /// Those are the names of records, those under which the sidecars of renamed ones still lie, and those
  /// of stale sidecars: a name is free only once no sidecar has it any more.
  /// - Parameters:
  ///   - kind: the kind.
  ///   - count: how many more the caller is about to add.
  package func takenNames(of kind: EntityKind, adding count: Int = 0) -> Set<String> {
    var names = Set<String>(minimumCapacity: entries.count + count)
    for entry in entries where entry.ref.kind == kind {
      names.insert(Slug.collisionKey(entry.ref.name))
      if let old = entry.renamedFrom { names.insert(Slug.collisionKey(old.name)) }
    }
    for ref in staleSidecars where ref.kind == kind { names.insert(Slug.collisionKey(ref.name)) }
    return names
  }

  /// Returns whether a name is that of a stale sidecar, so that it is free after the next sync.
  public func isStale(_ ref: RecordRef) -> Bool {
    staleSidecars.contains { stale in
      stale.kind == ref.kind && Slug.collisionKey(stale.name) == Slug.collisionKey(ref.name)
    }
  }
}
