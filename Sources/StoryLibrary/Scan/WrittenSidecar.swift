/// What a sidecar says that was written since the library was scanned.
package struct WrittenSidecar: Sendable {
  /// The record.
  package var ref: RecordRef
  fileprivate var identity: RecordIdentity
  fileprivate var conflict: ConflictKind?

  /// What the sidecar of a record says.
  package init(_ sidecar: Sidecar, of ref: RecordRef) {
    self.ref = ref
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
  /// The scan with sidecars that were written since, so that what all of them say is known without
  /// another look at the files.
  ///
  /// That is their ids, versions and conflicts. A record whose sidecar was written counts as in sync or
  /// in conflict: whether somebody has edited it meanwhile only another scan can tell.
  /// - Parameter written: the sidecars, each under the name of its record, in the order in which they
  ///   were written; none that is somewhere else.
  package func taking(_ written: [WrittenSidecar]) -> Scan {
    var next = self
    let isSame = written.allSatisfy { sidecar in
      place(of: sidecar.ref).map {
        self.entries[$0].isPlain && self.entries[$0].identity.hasSameID(as: sidecar.identity)
      } ?? false
    }
    if isSame {
      next.changeKeepingIDs { entries in
        for sidecar in written {
          if let place = place(of: sidecar.ref) { sidecar.apply(to: &entries[place]) }
        }
      }
      return next
    }
    var entries = next.entries
    next.entries = []
    // Those of records that came since: their places, for there may be very many.
    var new: [Int32] = []
    for (index, sidecar) in written.enumerated() {
      if let place = place(of: sidecar.ref) {
        sidecar.apply(to: &entries[place])
      } else {
        new.append(Int32(index))
      }
    }
    if !new.isEmpty {
      func ref(_ index: Int32) -> RecordRef { written[Int(index)].ref }
      new.sort { ref($0) == ref($1) ? $0 < $1 : ref($0) < ref($1) }
      entries.reserveCapacity(entries.count + new.count)
      let isFirst = entries.isEmpty
      for (place, index) in new.enumerated() {
        // The last one of a record counts.
        if place + 1 < new.count, ref(new[place + 1]) == ref(index) { continue }
        var entry = ScanEntry(ref: ref(index), state: .synced)
        written[Int(index)].apply(to: &entry)
        entries.append(entry)
      }
      if !isFirst { entries.sort { $0.ref < $1.ref } }
    }
    next.entries = entries
    next.noteOrder()
    return next
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
