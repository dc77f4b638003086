/// Sidecars without records that share one id: remains of a run that crashed while its records were
/// being renamed, if the records are removed afterwards.
///
/// They describe one record of the server, so only one of them takes precedence and leads to a
/// delete: the newest; among equal revisions, one with a conflict, then one with a requested
/// delete, then the one written last, which is that of a renamed record.
extension Scanner {
  /// Removes all others from a kind's entries.
  ///
  /// - Returns: The names of the removed entries.
  func takeStaleSidecars(from entries: inout [ScanEntry]) -> [RecordRef] {
    let gone = entries.indices.filter { entries[$0].isGone }
    guard gone.count > 1 else { return [] }
    // An unreadable sidecar may be the one that takes precedence.
    let doubtful = Set(
      entries.lazy.filter { $0.state == .unreadable }.flatMap(\.namedIDs))
    var counting: [String: Int] = [:]
    var stale: Set<Int> = []
    for place in gone {
      guard let id = entries[place].id, !doubtful.contains(id) else { continue }
      guard let other = counting[id] else {
        counting[id] = place
        continue
      }
      let isNewer = precedes(entries[other], entries[place])
      counting[id] = isNewer ? place : other
      stale.insert(isNewer ? other : place)
    }
    guard !stale.isEmpty else { return [] }
    let refs = stale.sorted().map { entries[$0].ref }
    entries.removeSubranges(RangeSet(stale, within: entries))
    return refs
  }

  /// Returns whether `right` takes precedence over `left`.
  private func precedes(_ left: ScanEntry, _ right: ScanEntry) -> Bool {
    let (old, new) = (left.updatedAt ?? "", right.updatedAt ?? "")
    if Sidecar.isVersion(old, before: new) { return true }
    if Sidecar.isVersion(new, before: old) { return false }
    func rank(_ entry: ScanEntry) -> Int {
      entry.conflict != nil ? 2 : entry.isDeleteStated ? 1 : 0
    }
    if rank(left) != rank(right) { return rank(left) < rank(right) }
    return modified(left) < modified(right)
  }

  private func modified(_ entry: ScanEntry) -> Int {
    (try? FileSystem.status(library.path(entry.sidecarPath)))?.modified ?? 0
  }
}
