import JSONText
public import StoryLibrary

extension GitRepository {
  /// Returns the edited records that equal an older synced version, which git may have restored
  /// unintended.
  ///
  /// The synced versions are in the sidecars, whose history git has. Only the sidecars of the first 100
  /// edited records are looked up, in one walk over at most 256 commits that changed one of them. None
  /// if git does not answer within three seconds.
  /// - Parameters:
  ///   - scan: a scan of the library.
  ///   - library: the repository's library.
  public func olderVersions(in scan: Scan, of library: Library) -> Set<RecordRef> {
    let entries = scan.entries
    // By index, because most are not edited and need no copy.
    let edited = entries.indices.filter { entries[$0].state == .pendingUpdate }.lazy
      .map { entries[$0] }.filter { $0.renamedFrom == nil && !$0.changes.isEmpty }
      .prefix(100)
    guard !edited.isEmpty,
      let versions = versions(
        of: edited.map(\.sidecarPath),
        // Where a merge took one side as it is, git would leave out the other side's history.
        in: ["--max-count=256", "--full-history", "HEAD"], seconds: 3),
      let texts = try? contents(of: Array(Set(versions.values.flatMap { $0 })))
    else { return [] }
    var found: Set<RecordRef> = []
    for entry in edited {
      guard let objects = versions[entry.sidecarPath], let file = try? library.file(entry.ref),
        let sidecar = try? library.sidecar(at: entry.ref)
      else { continue }
      let isOlder = objects.contains { object in
        guard let text = texts[object], ContentDigest(text) != entry.sidecarDigest,
          let older = try? Sidecar(bytes: text, ref: entry.ref), older.id == sidecar.id
        else { return false }
        let reading = file.reading(references: scan.references, sidecar: older)
        return reading.changes(from: older.base).isEmpty
      }
      if isOlder { found.insert(entry.ref) }
    }
    return found
  }
}
