public import StoryLibrary

extension Scan {
  /// A digest of every sidecar's kind, id and version, whatever their order and names.
  ///
  /// Two scans have the same digest if their sidecars say the same of the server; after a checkout, a
  /// merge or a clone it differs.
  public var sidecarDigest: String { digest { _ in "" } }

  /// The same of the records that a pull keeps up to date: those that git keeps out of the working
  /// tree are left out, so that it asks for everything once they are there again. A record that was
  /// found to be deleted has the version that it had before, so that is noted as well: the sidecar
  /// may come back as it was, and no later list mentions the delete again.
  package var pulledDigest: String { pulledDigest(except: []) }

  /// The same without some records.
  func pulledDigest(except refs: Set<RecordRef>) -> String {
    digest { entry in
      if entry.state == .notCheckedOut || refs.contains(entry.ref) { return nil }
      return entry.conflict == .deletedOnServer ? "deleted" : ""
    }
  }

  /// - Parameter note: what is noted of an entry; `nil` leaves it out.
  private func digest(_ note: (ScanEntry) -> String?) -> String {
    // The sum of the digests is the same in whatever order, so that nothing has to be sorted.
    var digest = ContentDigest([])
    var line: [UInt8] = []
    func add(_ text: String) {
      line += text.utf8
      line.append(0)
    }
    // What only the server makes is no part of what a sync compares.
    let entries = entries
    for place in entries.indices where !entries[place].ref.kind.schema.isReadOnly {
      guard let id = entries[place].id, let version = entries[place].updatedAt,
        let note = note(entries[place])
      else { continue }
      line.removeAll(keepingCapacity: true)
      add(entries[place].ref.kind.rawValue)
      add(id)
      add(version)
      add(note)
      digest = digest.adding(ContentDigest(line))
    }
    return digest.description
  }
}
