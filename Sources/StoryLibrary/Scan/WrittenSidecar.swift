/// What a sidecar says that was written since the library was scanned.
///
/// There may be very many, so the parts of the record's name stand where they leave no gap.
package struct WrittenSidecar: Sendable {
  private let name: String
  fileprivate let identity: RecordIdentity
  private let kind: EntityKind
  fileprivate let conflict: ConflictKind?

  /// The record.
  package var ref: RecordRef { RecordRef(kind: kind, name: name) }

  /// What the sidecar of a record says.
  package init(_ sidecar: Sidecar, of ref: RecordRef) {
    name = ref.name
    kind = ref.kind
    identity = RecordIdentity(id: sidecar.id, version: sidecar.updatedAt)
    switch sidecar.conflict {
    case .fields: conflict = .fields
    case .deletedOnServer: conflict = .deletedOnServer
    case .deletedHere: conflict = .deletedHere
    case nil: conflict = nil
    }
  }
}

extension Scan {
  /// Takes in sidecars that were written since, so that what all of them say is known without another
  /// look at the files.
  ///
  /// That is their ids, versions and conflicts. A record whose sidecar was written counts as in sync or
  /// in conflict: whether somebody has edited it meanwhile only another scan can tell.
  /// - Parameter written: the sidecars, each under the name of its record, in the order in which they
  ///   were written; none that is somewhere else.
  package mutating func take(_ written: [WrittenSidecar]) {
    let places = written.map { place(of: $0.ref).map { Int32($0) } ?? -1 }
    let keepsIDs = zip(written, places).allSatisfy { sidecar, place in
      guard place >= 0 else { return false }
      let entry = Int(place)
      return entries[entry].isPlain && entries[entry].identity.hasSameID(as: sidecar.identity)
    }
    func takeKnown(_ entries: inout [ScanEntry]) {
      for (sidecar, place) in zip(written, places) where place >= 0 {
        sidecar.apply(to: &entries[Int(place)])
      }
    }
    if keepsIDs { return changeKeepingIDs(takeKnown) }
    takeKnown(&entries)
    addNew(written, places.indices.filter { places[$0] < 0 })
    noteOrder()
  }

  /// Adds entries for sidecars of records that came since.
  private mutating func addNew(_ written: [WrittenSidecar], _ new: [Int]) {
    guard !new.isEmpty else { return }
    let sorted = new.sorted { left, right in
      let (one, other) = (written[left].ref, written[right].ref)
      return one == other ? left < right : one < other
    }
    let isFirst = entries.isEmpty
    entries.reserveCapacity(entries.count + sorted.count)
    for (place, index) in sorted.enumerated() {
      let sidecar = written[index]
      // The last one of a record counts.
      if place + 1 < sorted.count, written[sorted[place + 1]].ref == sidecar.ref { continue }
      var entry = ScanEntry(ref: sidecar.ref, state: .synced)
      sidecar.apply(to: &entry)
      entries.append(entry)
    }
    if !isFirst { entries.sort { $0.ref < $1.ref } }
  }
}

extension WrittenSidecar {
  fileprivate func apply(to entry: inout ScanEntry) {
    entry.identity = identity
    entry.possibleIDs = []
    entry.conflict = conflict
    entry.state = conflict == nil ? .synced : .conflict
  }
}
