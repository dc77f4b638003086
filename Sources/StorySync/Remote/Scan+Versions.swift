import StoryAPI
public import StoryLibrary

extension ScanEntry {
  /// Whether the server has the record according to its sidecar.
  var isOnServer: Bool { id != nil && updatedAt != nil && conflict != .deletedOnServer }
}

extension Scan {
  /// Returns the number of the server's records of a kind that have sidecars.
  func countOnServer(of kind: EntityKind) -> Int {
    var count = 0
    var twins: Set<String> = []
    // Indices are used here and below because copying an entry costs more than a look at it.
    for place in entries.indices where entries[place].ref.kind == kind && entries[place].isOnServer
    {
      if entries[place].state == .duplicateId, let id = entries[place].id,
        !twins.insert(id).inserted
      {
        continue
      }
      count += 1
    }
    return count
  }

  /// Returns the record of a kind with the newest version in its sidecar, and that date, or `nil`.
  func newestOnServer(of kind: EntityKind) -> (entry: ScanEntry, date: ServerDate)? {
    var newest: (place: Int, date: ServerDate)?
    // Records that were sent together have rising dates, so the newest is sooner found from the end.
    for place in entries.indices.reversed()
    where entries[place].ref.kind == kind && entries[place].isOnServer {
      guard let text = entries[place].updatedAt else { continue }
      // Dates of one form sort like their texts, which saves parsing very many of them.
      if let other = newest?.date.text, text.utf8.count == other.utf8.count, text <= other,
        text.hasSuffix("Z"), other.hasSuffix("Z")
      {
        continue
      }
      guard let date = ServerDate(text), newest.map({ $0.date < date }) ?? true else { continue }
      newest = (place, date)
    }
    return newest.map { (entries[$0.place], $0.date) }
  }

  // MARK: Digests

  /// A digest of every sidecar's kind, id and version, independent of their order and names.
  ///
  /// Two scans have the same digest if their sidecars have the same server state; it changes with a
  /// checkout, a merge or a clone.
  public var sidecarDigest: String { digest { _ in "" } }

  /// The digest of the records that a pull keeps up to date. It includes which ones are not checked out,
  /// so that a pull requests everything once one is back, with its sidecar or without. A record found to
  /// be deleted keeps its version, so the delete is included too: the sidecar may come back as it was,
  /// and no later list mentions the delete again.
  package var pulledDigest: String { pulledDigest(except: []) }

  func pulledDigest(except refs: Set<RecordRef>) -> String {
    digest { place in
      if !refs.isEmpty, refs.contains(entries[place].ref) { return nil }
      if entries[place].state == .notCheckedOut { return "not checked out" }
      return entries[place].conflict == .deletedOnServer ? "deleted" : ""
    }
  }

  /// - Parameter note: Returns what to add for the entry at an index, or `nil` to leave it out.
  private func digest(_ note: (Int) -> String?) -> String {
    // The sum of the digests does not depend on their order, so nothing needs sorting.
    var digest = ContentDigest([])
    var line: [UInt8] = []
    func add(_ text: String) {
      line += text.utf8
      line.append(0)
    }
    // Read-only kinds are not part of what a sync compares. By index, because copying every entry
    // takes longer.
    for place in entries.indices where !entries[place].ref.kind.schema.isReadOnly {
      guard let id = entries[place].id, let version = entries[place].updatedAt,
        let note = note(place)
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
