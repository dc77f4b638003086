public import StoryLibrary

extension Scan {
  /// A digest of every sidecar's kind, id and version, whatever their order and names.
  ///
  /// Two scans have the same digest where their sidecars say the same of the server; after a
  /// checkout, a merge or a clone it differs.
  public var sidecarDigest: String { digest { _ in "" } }

  /// The same of the records that a pull keeps up to date: those that git keeps out of the working
  /// tree are left out, so that it asks for everything once they are there again. A record that was
  /// found to be deleted has the version that it had before, so that is noted as well: the sidecar
  /// may come back as it was, and nobody tells of the delete a second time.
  var pulledDigest: String {
    let entries = entries
    return digest { place in
      if entries[place].state == .notCheckedOut { return nil }
      let isGone = !entries[place].isPlain && entries[place].conflict == .deletedOnServer
      return isGone ? "deleted" : ""
    }
  }

  /// - Parameter note: what is noted of the entry at a place; `nil` leaves it out.
  private func digest(_ note: (Int) -> String?) -> String {
    // The sum of the digests is the same in whatever order, so that nothing has to be sorted.
    var digest = ContentDigest([])
    var line: [UInt8] = []
    // What only the server makes is no part of what a sync compares.
    let names = Dictionary(
      uniqueKeysWithValues: EntityKind.allCases.filter { !$0.schema.isReadOnly }.map {
        ($0, Array($0.rawValue.utf8) + [0])
      })
    // By places, as a copy of each entry takes longer than its digest; and the kinds come in a row.
    let entries = entries
    var kind: (kind: EntityKind, name: [UInt8]?)?
    for place in entries.indices {
      if kind?.kind != entries[place].ref.kind {
        kind = (entries[place].ref.kind, names[entries[place].ref.kind])
      }
      guard let name = kind?.name, let note = note(place) else { continue }
      line.removeAll(keepingCapacity: true)
      line += name
      guard entries[place].identity.append(to: &line) else { continue }
      line += note.utf8
      digest = digest.adding(ContentDigest(line))
    }
    return digest.description
  }
}
