/// What the scanner found in a library.
public struct Scan: Sendable {
  /// The records, ordered by kind as they are created on a server, then by name.
  public var entries: [ScanEntry] = [] {
    didSet { isOrdered = false }
  }
  /// Whether the entries are known to be in order, and ``ids`` to be theirs.
  private var isOrdered = false
  private var ids = IDTable()
  /// The names and ids of the records that others name.
  public var references = ReferenceTable()
  /// Sidecars without a record whose id another pair has, or another sidecar without one that counts
  /// more: remains of a copy, a merge or a run that died.
  public var staleSidecars: [RecordRef] = []
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

  /// The entry of the record that has an id on the server, the first of several; `nil` where there is
  /// none.
  public func entry(id: String, of kind: EntityKind) -> ScanEntry? {
    guard isOrdered else { return entries.first { $0.ref.kind == kind && $0.id == id } }
    for place in ids.places(of: id)
    where entries[place].ref.kind == kind && entries[place].id == id { return entries[place] }
    return nil
  }

  /// Whether some sidecar of a kind names an id, be it as one of several that its record may have: then
  /// the server's record is none that is new here.
  public func isNamed(_ id: String, of kind: EntityKind) -> Bool { namer(of: id, of: kind) != nil }

  /// The entry whose sidecar names an id, be it as one of several, the first where there are more;
  /// `nil` where none does.
  public func namer(of id: String, of kind: EntityKind) -> ScanEntry? {
    if let entry = entry(id: id, of: kind) { return entry }
    guard isOrdered else {
      return entries.first { $0.ref.kind == kind && $0.possibleIDs.contains(id) }
    }
    for place in ids.places(of: id)
    where entries[place].ref.kind == kind && entries[place].possibleIDs.contains(id) {
      return entries[place]
    }
    return nil
  }

  /// Changes entries in place, without another order or other ids.
  mutating func changeKeepingIDs(_ change: (inout [ScanEntry]) -> Void) {
    let isOrdered = isOrdered
    change(&entries)
    self.isOrdered = isOrdered
  }

  /// Makes it quick to find entries, until they change.
  mutating func noteOrder() {
    ids = IDTable(entries)
    isOrdered = entries.indices.dropFirst().allSatisfy { entries[$0 - 1].ref < entries[$0].ref }
  }

  /// The places of entries of one kind that have one id, for each id that several have; to be asked
  /// after ``noteOrder()``.
  var twins: [[Int]] {
    ids.twins.flatMap { places in
      // What may have several ids is no twin of any.
      Dictionary(grouping: places.filter { entries[$0].id != nil }) {
        [entries[$0].ref.kind.rawValue, entries[$0].id]
      }
      .values.filter { $0.count > 1 }
    }
  }

  /// Records whose sidecar was written by a newer version of this program: nothing may be changed.
  public var newerSidecars: [RecordRef] {
    entries.indices.filter { place in
      !entries[place].isPlain && entries[place].problems.contains { $0.code == .newerVersion }
    }.map { entries[$0].ref }
  }

  /// How many records are in each state that occurs.
  public var counts: [RecordState: Int] {
    entries.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
  }
}
