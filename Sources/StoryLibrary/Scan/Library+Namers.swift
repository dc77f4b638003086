extension Library {
  /// The records that may name another one, so that only they have to be read to know who does.
  ///
  /// What `.stories/index` knows of a file whose content the scan found unchanged is taken from
  /// there; every other record of a kind that can name it is among the result.
  /// - Parameters:
  ///   - ref: the record that may be named.
  ///   - scan: a scan that was made just now.
  public func possibleNamers(of ref: RecordRef, _ scan: Scan) -> [RecordRef] {
    let kinds = EntityKind.writable.filter { kind in
      kind.schema.fields.contains { $0.referencedKind == ref.kind }
    }
    guard !kinds.isEmpty else { return [] }
    let index = ScanIndex(self)
    var result: [RecordRef] = []
    for kind in kinds {
      let section = index?[kind]
      let wanted = Set(
        (section?.references(scan.references) ?? []).enumerated()
          .filter { $0.element.ref == ref }.map(\.offset))
      var place = -1
      for entry in scan.entries where entry.ref.kind == kind && entry.hasRecord {
        if let section, let digest = entry.digest,
          let known = section.find(entry.ref.name, near: &place), known.digest == digest,
          let targets = section.targets(of: known), wanted.isDisjoint(with: targets)
        {
          continue
        }
        result.append(entry.ref)
      }
    }
    return result
  }
}
