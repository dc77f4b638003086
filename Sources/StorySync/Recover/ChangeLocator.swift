import StoryLibrary

/// Finds the records of file changes that an interrupted run left, and what it got done.
///
/// A change belongs to the record with the id in its sidecar, not to a name: people and git may have
/// moved record, sidecar, both, or a folder since, or given the name to another record. The temporary
/// files that the run left show what it got done, wherever they are now.
struct ChangeLocator {
  /// Where a change goes on.
  struct Place: Equatable {
    /// The record.
    var ref: RecordRef
    /// The record that the present sidecar's path belongs to.
    var sidecar: RecordRef
    /// The record that the new sidecar's path belongs to.
    var newSidecar: RecordRef

    init(ref: RecordRef, sidecar: RecordRef? = nil, newSidecar: RecordRef? = nil) {
      self.ref = ref
      self.sidecar = sidecar ?? ref
      self.newSidecar = newSidecar ?? ref
    }

    /// The place of a scanned record whose sidecar stays where it is.
    init(_ entry: ScanEntry) {
      self.init(ref: entry.ref, sidecar: entry.place, newSidecar: entry.place)
    }
  }

  enum Result: Equatable {
    case found(Place)
    /// The record or its removal is no longer the change's.
    case gone
    /// A folder that cannot be read may hide it.
    case hidden
  }

  private let library: Library
  private let scan: Scan
  /// The paths of temporary files by their names.
  private let temporaryFiles: [String: [String]]
  /// The records without a sidecar by their digests.
  private let unnamed: [ContentDigest: [RecordRef]]
  /// Where the records' temporary files were. Those of records with one text and one name differ only in
  /// their folders.
  private let origins: Set<String>

  /// - Parameters:
  ///   - scan: the library before its temporary files are removed.
  ///   - changes: all changes that are not finished.
  init(_ library: Library, _ scan: Scan, _ changes: [Journal.FileChange]) {
    self.library = library
    self.scan = scan
    origins = Set(changes.compactMap(Self.stagedRecord))
    temporaryFiles = Dictionary(grouping: scan.staleFiles) { Path.name($0) }
    var unnamed: [ContentDigest: [RecordRef]] = [:]
    for entry in scan.entries where entry.namedIDs.isEmpty {
      if let digest = entry.digest { unnamed[digest, default: []].append(entry.ref) }
    }
    self.unnamed = unnamed
  }

  // MARK: Records

  func find(_ change: Journal.FileChange) -> Result {
    let kind = change.ref.kind
    let former = Place(ref: change.ref, sidecar: change.old)
    guard let bytes = change.sidecar else { return findRemoved(change, former) }
    guard let id = (try? Sidecar(bytes: bytes, ref: change.ref))?.id else { return .found(former) }
    let named = scan.entries(id: id, of: kind)
    // Of several copies of a pair, the one at the name is it.
    if let entry = named.first(where: { $0.hasRecord && $0.ref == change.ref }) {
      // A name that differs only in Unicode form is the same name, and the sidecar stays.
      return .found(
        entry.formerName == nil ? Place(entry) : Place(ref: entry.ref, sidecar: entry.place))
    }
    if let entry = named.first(where: { $0.hasRecord && $0.formerName == nil }) {
      return .found(Place(entry))
    }
    // Whose file the one at the name is, its text shows: another may have been put there.
    let atName = scan.entry(change.ref).flatMap {
      $0.hasRecord && $0.namedIDs.isEmpty ? $0 : nil
    }
    if let digest = atName?.digest, digest == change.after || digest == change.before {
      return .found(former)
    }
    // A new record that was edited keeps its name before a copy does.
    if let ref = atName?.ref, change.before == nil, isNamesake(ref, of: bytes, change) {
      return .found(former)
    }
    let equal = (change.after.flatMap { unnamed[$0] } ?? []).filter { $0.kind == kind }
    if equal.count == 1 {
      return .found(Place(ref: equal[0], sidecar: named.first?.place))
    }
    // The next scan recognizes a renamed record by the new sidecar, if there is one.
    if let entry = named.first(where: \.hasRecord) {
      return .found(Place(entry))
    }
    // Without a sidecar there is nothing to show that an edited record is the change's, unless it had none.
    if atName != nil, !named.isEmpty || change.replaced?.isEmpty ?? true { return .found(former) }
    if let entry = named.first {
      return .found(Place(entry))
    }
    if change.before == nil, let ref = newRecord(of: change, bytes) {
      return .found(Place(ref: ref))
    }
    return scan.incompleteKinds.contains(kind) ? .hidden : .gone
  }

  /// Returns the name of a new record without a sidecar, found by the one that waits for it or its title.
  private func newRecord(of change: Journal.FileChange, _ bytes: [UInt8]) -> RecordRef? {
    let kind = change.ref.kind
    // A new record may have been moved with the sidecar that waits for it, or renamed.
    if let path = stagedSidecar(of: change),
      case .sidecar(let ref)? = TrackedPath(
        Path.join(Path.parent(path), Path.name(change.ref.path))),
      ref.kind == kind, let entry = scan.entry(ref), entry.hasRecord, entry.namedIDs.isEmpty
    {
      return ref
    }
    let namesakes = unnamed.values.joined().filter { $0.kind == kind }
      .filter { isNamesake($0, of: bytes, change) }
    return namesakes.count == 1 ? namesakes[0] : nil
  }

  /// Returns whether a record has the name or title in a sidecar.
  private func isNamesake(
    _ ref: RecordRef, of sidecar: [UInt8], _ change: Journal.FileChange
  ) -> Bool {
    let title = (try? Sidecar(bytes: sidecar, ref: change.ref))?.base.title
    let file = try? library.file(ref)
    return file?.reading(references: ReferenceTable(), sidecar: nil).values.title == title
  }

  /// The sidecar of a removed record is removed, unless the record was moved before.
  private func findRemoved(_ change: Journal.FileChange, _ former: Place) -> Result {
    guard change.after == nil, let id = (try? library.sidecar(at: former.sidecar))?.id else {
      return .found(former)
    }
    let isHere = scan.entries(id: id, of: change.ref.kind).contains {
      $0.hasRecord && $0.place == former.sidecar
    }
    return isHere ? .gone : .found(former)
  }

  // MARK: Temporary files

  /// Returns how far the run came with a change, as its temporary files show.
  ///
  /// - Parameter hasRecord: whether its record is there, under whatever name.
  /// - Throws: `FileError`.
  func progress(
    of change: Journal.FileChange, hasRecord: Bool
  ) throws -> WriteBatch.Progress {
    guard let after = change.after, after != change.before, let bytes = change.sidecar,
      let origin = Self.stagedRecord(of: change)
    else { return .unknown }
    let staged = stagedSidecar(of: change)
    let name = Path.name(origin)
    let beside = staged.map { Path.join(Path.parent(Path.parent($0)), name) }
    let places = temporaryFiles[name] ?? []
    let record =
      [origin, beside].compactMap(\.self).first(where: places.contains)
      ?? places.first { !origins.contains($0) }
    return try WriteBatch.progress(
      record: record.map(library.path), isElsewhere: hasRecord, from: change.before, to: after,
      sidecar: staged.map { (library.path($0), ContentDigest(bytes)) })
  }

  /// Returns where the record's new content waited, and after an exchange the old.
  private static func stagedRecord(of change: Journal.FileChange) -> String? {
    guard let after = change.after,
      let name = try? WriteBatch.temporaryName(
        new: after, old: change.before, for: change.ref.path)
    else { return nil }
    return Path.join(Path.parent(change.ref.path), name)
  }

  private func stagedSidecar(of change: Journal.FileChange) -> String? {
    guard let bytes = change.sidecar,
      let name = try? WriteBatch.temporaryName(
        new: ContentDigest(bytes), old: nil, for: change.ref.sidecarPath)
    else { return nil }
    let places = temporaryFiles[name] ?? []
    return places.first { Path.parent($0) == Path.parent(change.ref.sidecarPath) } ?? places.first
  }
}
