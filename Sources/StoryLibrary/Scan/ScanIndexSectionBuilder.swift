/// Puts together the section of one kind.
struct ScanIndexSectionBuilder {
  private var pairs: [(name: String, pair: ScanIndex.Pair)] = []
  private var references: [ScanIndex.Reference] = []
  private var places: [RecordRef: UInt32] = [:]
  private var targets: [UInt32] = []
  private var texts: [UInt8] = []
  private let table: ReferenceTable

  /// - Parameters:
  ///   - references: what names stand for in this scan.
  ///   - count: how many pairs there may be.
  init(_ references: ReferenceTable, count: Int) {
    table = references
    pairs.reserveCapacity(count)
    // A name, an id and a version take some 80 bytes.
    texts.reserveCapacity(80 * count)
  }

  /// Whether what came of reading a pair can be noted: nothing is wrong with it, and what it names
  /// stands for something plainly.
  static func takes(_ outcome: PairComparer.Outcome, _ references: ReferenceTable) -> Bool {
    outcome.entry.problems.isEmpty && outcome.entry.renamedFrom == nil
      && outcome.targets.allSatisfy { references.contains($0) }
  }

  /// Notes what was found of a pair.
  ///
  /// - Parameter targets: the records that the record names, in the order of its members.
  mutating func add(
    _ entry: ScanEntry, record: UInt64, sidecar: UInt64, targets names: [RecordRef]
  ) {
    guard entry.problems.isEmpty, entry.renamedFrom == nil,
      let state = RecordState.allCases.firstIndex(of: entry.state)
    else { return }
    var flags = ScanIndex.Flags()
    if entry.digest != nil { flags.insert(.record) }
    if entry.sidecarDigest != nil { flags.insert(.sidecar) }
    if entry.isDeleteStated { flags.insert(.deleteStated) }
    switch entry.conflict {
    case .fields: flags.insert(.conflictOfFields)
    case .deletedOnServer: flags.insert(.conflictDeletedOnServer)
    case .deletedHere: flags.insert(.conflictDeletedHere)
    case nil: break
    }
    guard names.count <= UInt8.max else { return }
    // What a name stands for in another way than plainly is not noted, nor is such a pair.
    var found: [UInt32] = []
    for name in names {
      guard let place = place(of: name) else { return }
      found.append(place)
    }
    let start = texts.count
    texts += entry.ref.name.utf8
    let nameEnd = texts.count
    entry.identity.appendID(to: &texts)
    let idEnd = texts.count
    entry.identity.appendVersion(to: &texts)
    let nameLength = nameEnd - start
    let (idLength, versionLength) = (idEnd - nameEnd, texts.count - idEnd)
    guard nameLength <= UInt16.max, idLength <= UInt16.max, versionLength <= UInt8.max else {
      texts.removeSubrange(start...)
      return
    }
    pairs.append(
      (
        entry.ref.name,
        ScanIndex.Pair(
          record: record, sidecar: sidecar, digest: entry.digest ?? .zero,
          sidecarDigest: entry.sidecarDigest ?? .zero, changes: entry.changes.bits,
          outdated: entry.outdatedReferences.bits, text: UInt32(start),
          nameLength: UInt16(nameLength), idLength: UInt16(idLength),
          firstTarget: UInt32(targets.count), targetCount: UInt8(found.count),
          versionLength: UInt8(versionLength), state: UInt8(state), flags: flags.rawValue)
      ))
    targets += found
  }

  private mutating func place(of ref: RecordRef) -> UInt32? {
    if let place = places[ref] { return place }
    guard table.contains(ref), let kind = EntityKind.allCases.firstIndex(of: ref.kind) else {
      return nil
    }
    var id = ""
    switch table.meaning(of: ref) {
    case .id(let known): id = known
    case .pending: break
    case .unidentified, .unknown: return nil
    }
    let name = Array(ref.name.utf8)
    guard name.count <= UInt16.max, id.utf8.count <= UInt16.max else { return nil }
    let place = UInt32(references.count)
    references.append(
      ScanIndex.Reference(
        text: UInt32(texts.count), nameLength: UInt16(name.count),
        idLength: UInt16(id.utf8.count), kind: UInt32(kind)))
    texts += name
    texts += id.utf8
    places[ref] = place
    return place
  }

  /// The section's bytes.
  consuming func bytes() -> [UInt8] {
    pairs.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      16 + pairs.count * MemoryLayout<ScanIndex.Pair>.stride + references.count * 12
        + targets.count * 4 + texts.count)
    func add<Value: BitwiseCopyable>(_ value: Value) {
      withUnsafeBytes(of: value) { bytes += $0 }
      let padding = MemoryLayout<Value>.stride - MemoryLayout<Value>.size
      bytes += repeatElement(0, count: padding)
    }
    add(
      ScanIndex.SectionHeader(
        pairs: UInt32(pairs.count), references: UInt32(references.count),
        targets: UInt32(targets.count), texts: UInt32(texts.count)))
    for pair in pairs { add(pair.pair) }
    for reference in references { add(reference) }
    for target in targets { add(target) }
    bytes += texts
    return bytes
  }
}
