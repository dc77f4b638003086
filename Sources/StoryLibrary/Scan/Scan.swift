/// What the scanner found in a library.
public struct Scan: Sendable {
  /// The records, ordered by kind as they are created on a server, then by name.
  public var entries: [ScanEntry] = []
  /// The names and ids of the records that others name.
  public var references = ReferenceTable()
  /// Sidecars without a record whose id another pair has: remains of a copy or a merge.
  public var staleSidecars: [RecordRef] = []
  /// Temporary files of a run that was interrupted, relative to the library's root.
  public var leftovers: [String] = []
  /// What is wrong beside single records, such as links among the folders.
  public var problems: [Problem] = []

  /// The entry of a record; `nil` where there is none.
  public func entry(_ ref: RecordRef) -> ScanEntry? {
    entries.first { $0.ref == ref }
  }

  /// How many records are in each state that occurs.
  public var counts: [RecordState: Int] {
    entries.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
  }
}
