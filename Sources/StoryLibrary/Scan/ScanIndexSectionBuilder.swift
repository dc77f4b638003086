/// Puts together the section of one kind.
struct ScanIndexSectionBuilder {
  private var pairs: [ScanIndex.Pair] = []
  /// Whether the pairs are in the order of their names' bytes.
  private var isSorted = true
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
    let pair = ScanIndex.Pair(
      record: record, sidecar: sidecar, digest: entry.digest ?? .zero,
      sidecarDigest: entry.sidecarDigest ?? .zero, changes: entry.changes.bits,
      outdated: entry.outdatedReferences.bits, text: UInt32(start),
      nameLength: UInt16(nameLength), idLength: UInt16(idLength),
      firstTarget: UInt32(targets.count), targetCount: UInt8(found.count),
      versionLength: UInt8(versionLength), state: UInt8(state), flags: flags.rawValue)
    if let last = pairs.last, isSorted {
      isSorted = texts.withUnsafeBytes { Self.precedes(last, pair, $0) }
    }
    pairs.append(pair)
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

  private static func precedes(
    _ left: ScanIndex.Pair, _ right: ScanIndex.Pair, _ texts: UnsafeRawBufferPointer
  ) -> Bool {
    func name(_ pair: ScanIndex.Pair) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: texts[Int(pair.text)...].prefix(Int(pair.nameLength)))
    }
    return ScanIndexSection.order(name(left), name(right)) < 0
  }

  /// Brings the pairs into the order in which they are looked for; to be called after the last one.
  mutating func sort() {
    guard !isSorted else { return }
    texts.withUnsafeBytes { texts in pairs.sort { Self.precedes($0, $1, texts) } }
    isSorted = true
  }

  /// How many bytes the section has.
  var byteCount: Int {
    func size<Value>(_ values: [Value]) -> Int { values.count * MemoryLayout<Value>.stride }
    return MemoryLayout<ScanIndex.SectionHeader>.stride + size(pairs) + size(references)
      + size(targets) + texts.count
  }

  /// Writes the section.
  func write(to output: inout ScanIndexOutput) {
    let header = ScanIndex.SectionHeader(
      pairs: UInt32(pairs.count), references: UInt32(references.count),
      targets: UInt32(targets.count), texts: UInt32(texts.count))
    withUnsafeBytes(of: header) { output.add($0) }
    pairs.withUnsafeBytes { output.add($0) }
    references.withUnsafeBytes { output.add($0) }
    targets.withUnsafeBytes { output.add($0) }
    texts.withUnsafeBytes { output.add($0) }
  }
}
