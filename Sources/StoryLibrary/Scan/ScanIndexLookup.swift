/// Answers from the index in place of reading files.
struct ScanIndexLookup: Sendable {
  private let section: ScanIndexSection
  private let references: [(ref: RecordRef, isPending: Bool, isValid: Bool)]

  /// How many pairs the index knows.
  var count: Int { section.count }

  init(_ section: ScanIndexSection, _ table: ReferenceTable) {
    self.section = section
    references = section.references(table)
  }

  /// The entry of a pair whose files have not changed since it was read; `nil` for any other.
  ///
  /// - Parameter place: where the pair before was found.
  func entry(for pair: FolderWalk.Pair, near place: inout Int) -> ScanEntry? {
    guard pair.isPlain, let known = section.find(pair.ref.name, near: &place),
      known.record == pair.recordKey, known.sidecar == pair.sidecarKey,
      let state = Self.state(known.state), let targets = section.targets(of: known)
    else { return nil }
    var entry = ScanEntry(ref: pair.ref, state: state)
    for target in targets {
      guard target < references.count, references[target].isValid else { return nil }
      if references[target].isPending { entry.isWaiting = true }
    }
    let flags = ScanIndex.Flags(rawValue: known.flags)
    entry.obstacle = pair.record
    entry.changes = FieldSet(bits: known.changes)
    entry.outdatedReferences = FieldSet(bits: known.outdated)
    if flags.contains(.record) { entry.digest = known.digest }
    if flags.contains(.deleteStated) { entry.isDeleteStated = true }
    if flags.contains(.conflictOfFields) { entry.conflict = .fields }
    if flags.contains(.conflictDeletedOnServer) { entry.conflict = .deletedOnServer }
    if flags.contains(.conflictDeletedHere) { entry.conflict = .deletedHere }
    if flags.contains(.sidecar) {
      let start = Int(known.text) + Int(known.nameLength)
      let length = Int(known.idLength) + Int(known.versionLength)
      guard let text = section.text(start, length) else { return nil }
      entry.sidecarDigest = known.sidecarDigest
      entry.identity = RecordIdentity(
        text.assumingMemoryBound(to: UInt8.self), idLength: Int(known.idLength))
    }
    return entry
  }

  /// The records that the pair at a place in the index names.
  func targets(at place: Int) -> [RecordRef] {
    (section.pair(place).flatMap { section.targets(of: $0) } ?? []).compactMap {
      $0 < references.count ? references[$0].ref : nil
    }
  }

  private static let states = RecordState.allCases

  private static func state(_ number: UInt8) -> RecordState? {
    Int(number) < states.count ? states[Int(number)] : nil
  }
}
