/// Records whose sidecars git keeps out of the working tree (a sparse checkout).
///
/// The server has these records, so they are not new, and missing ones are not deleted.
extension Scanner {
  /// Sets the ids of these records' entries, and adds entries for those without local files.
  func apply(
    _ hidden: [(ref: RecordRef, bytes: [UInt8])], to entries: inout [ScanEntry],
    _ references: ReferenceTable
  ) {
    guard !hidden.isEmpty else { return }
    var places: [RecordRef: Int] = [:]
    for (place, entry) in entries.enumerated() { places[entry.ref] = place }
    for (ref, bytes) in hidden {
      let sidecar = try? Sidecar(bytes: bytes, ref: ref)
      let ids = sidecar.map { [$0.id] } ?? Sidecar.recoveredIDs(from: bytes)
      if ids.isEmpty { continue }
      let place = places[ref] ?? entries.endIndex
      if place == entries.endIndex {
        entries.append(ScanEntry(ref: ref, state: .notCheckedOut))
      } else if !entries[place].namedIDs.isEmpty {
        continue
      }
      if ids.count > 1 { entries[place].possibleIDs = ids } else { entries[place].id = ids.first }
      entries[place].updatedAt = sidecar?.updatedAt
      guard entries[place].state.isNew else { continue }
      entries[place].state = .notCheckedOut
      entries[place].problems = []
      if let sidecar, isEdited(entries[place], sidecar, references) {
        entries[place].problems = [
          Problem(.sidecarNotCheckedOut(ref), severity: .warning, file: ref.path)
        ]
      }
      entries[place].changes = FieldSet()
    }
    entries.sort { $0.ref < $1.ref }
  }

  private func isEdited(
    _ entry: ScanEntry, _ sidecar: Sidecar, _ references: ReferenceTable
  ) -> Bool {
    guard let file = try? library.file(entry.ref) else { return false }
    return !file.reading(references: references, sidecar: sidecar).changes(from: sidecar.base)
      .isEmpty
  }
}
