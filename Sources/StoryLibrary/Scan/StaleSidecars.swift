/// Sidecars of one id of which none has a record: what a run leaves that died while its records were
/// renamed, when the records are deleted next.
///
/// They tell of one record of the server, so one of them counts and is deleted there. It is the newest;
/// of one version the one that has something to decide, then the one whose delete somebody stated, then
/// the one that was written last, as that of a renamed record is.
struct StaleSidecars {
  let library: Library

  /// Takes the others out of a kind's entries.
  ///
  /// - Returns: their records' names.
  func take(from entries: inout [ScanEntry]) -> [RecordRef] {
    let gone = entries.indices.filter { place in
      !entries[place].hasRecord && entries[place].id != nil
        && (entries[place].state == .pendingDelete || entries[place].state == .conflict)
    }
    guard gone.count > 1 else { return [] }
    // What cannot be read may be the one that counts.
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
    entries = entries.enumerated().filter { !stale.contains($0.offset) }.map(\.element)
    return refs
  }

  /// Whether what `right` says counts more than what `left` says.
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
