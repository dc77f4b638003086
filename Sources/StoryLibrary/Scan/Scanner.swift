import Dispatch
import Synchronization

/// Finds how every record of a library stands by comparing it with its sidecar.
///
/// It reads files and nothing else: no watcher, no database, no write. Records are compared by what
/// they mean, so a touched, moved or differently laid out file is no change.
public struct Scanner: Sendable {
  /// The library that is scanned.
  public let library: Library
  /// The kinds that are scanned, in the order in which they are created on a server. A sync goes by
  /// those that people write; what the server makes is looked at by whoever shows it.
  public var kinds = EntityKind.writable
  /// How many threads compare records.
  public var workers = 2
  /// Whether records that equal their base are checked as well: what is wrong with them concerns no
  /// sync, but a person may want to know.
  public var checksEverything = false
  /// Of the paths of records that are missing (relative to the root), those that git keeps out of
  /// the working tree. Asked only where records are missing.
  public var notCheckedOut: @Sendable ([String]) -> Set<String> = { _ in [] }

  /// The sidecars that git keeps out of the working tree, with their texts: their records are known,
  /// and left alone.
  public var hiddenSidecars: @Sendable () -> [(ref: RecordRef, bytes: [UInt8])] = { [] }

  /// A scanner of `library`.
  public init(_ library: Library) { self.library = library }

  /// Scans the whole library.
  ///
  /// - Throws: `LibraryError.unsafeState` where a kind's folder or a `.sync` is a link; `FileError`
  ///   where a folder cannot be listed. A file that cannot be read is an entry's state, not an error.
  public func scan() throws -> Scan {
    var scan = Scan()
    scan.leftovers = try leftovers(in: "") + leftovers(in: Library.stateFolderName)
    let hidden = hiddenSidecars()
    for kind in kinds {
      let entries = try scanKind(kind, hidden.filter { $0.ref.kind == kind }, &scan)
      scan.entries += entries
    }
    markDuplicates(in: &scan)
    scan.indexEntries()
    return scan
  }

  /// Temporary files beside those that have no record.
  private func leftovers(in folder: String) throws(FileError) -> [String] {
    let path = library.path(folder)
    guard try FileSystem.status(path)?.type == .folder else { return [] }
    return try FileSystem.list(path).filter { TemporaryName.isPrefix(of: $0.name) }
      .map { Path.join(folder, $0.name) }
  }

  private func scanKind(
    _ kind: EntityKind, _ hidden: [(ref: RecordRef, bytes: [UInt8])], _ scan: inout Scan
  ) throws -> [ScanEntry] {
    let folder = library.path(kind.folder)
    if let type = try FileSystem.status(folder)?.type, type != .folder {
      throw LibraryError.unsafeState(
        path: folder, reason: type == .link ? "it is a symbolic link" : "it is no folder")
    }
    var walk = FolderWalk(root: library.root, kind: kind)
    try walk.run()
    scan.leftovers += walk.leftovers
    scan.problems += walk.problems
    var entries = compare(walk.pairs, scan.references)
    markNotCheckedOut(&entries)
    HiddenSidecars(hidden).apply(to: &entries, of: library, scan.references)
    RenameDetector(library: library, references: scan.references).apply(to: &entries)
    for entry in entries where entry.hasRecord || entry.state == .notCheckedOut {
      scan.references.add(entry.ref, id: entry.id)
      if let old = entry.renamedFrom { scan.references.addAlias(old, for: entry.ref) }
    }
    return entries
  }

  /// Compares pairs on several threads; the result has the pairs' order.
  private func compare(_ pairs: [FolderWalk.Pair], _ references: ReferenceTable) -> [ScanEntry] {
    let comparer = PairComparer(
      library: library, references: references, checksEverything: checksEverything)
    let chunk = 64
    let chunks = (pairs.count + chunk - 1) / chunk
    guard workers > 1, chunks > 1 else { return pairs.map(comparer.entry(for:)) }
    let results = Mutex([[ScanEntry]](repeating: [], count: chunks))
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < chunks else { return }
        let part = pairs[index * chunk..<min(pairs.count, (index + 1) * chunk)]
        let entries = part.map(comparer.entry(for:))
        results.withLock { $0[index] = entries }
      }
    }
    return results.withLock { $0.flatMap { $0 } }
  }

  private func markNotCheckedOut(_ entries: inout [ScanEntry]) {
    let missing = entries.indices.filter { index in
      !entries[index].hasRecord && entries[index].state != .unreadable
        && !entries[index].isDeleteStated
    }
    guard !missing.isEmpty else { return }
    let kept = notCheckedOut(missing.map { entries[$0].ref.path })
    for index in missing where kept.contains(entries[index].ref.path) {
      entries[index].state = .notCheckedOut
      entries[index].conflict = nil
    }
  }

  /// Finds ids that several sidecars name: pairs are blocked, sidecars without a record are dropped.
  private func markDuplicates(in scan: inout Scan) {
    var byID: [String: [Int]] = [:]
    for (index, entry) in scan.entries.enumerated() {
      if let id = entry.id { byID["\(entry.ref.kind.rawValue)/\(id)", default: []].append(index) }
    }
    var stale: Set<Int> = []
    for indices in byID.values where indices.count > 1 {
      let pairs = indices.filter {
        scan.entries[$0].hasRecord || scan.entries[$0].state == .notCheckedOut
      }
      if !pairs.isEmpty { stale.formUnion(indices.filter { !pairs.contains($0) }) }
      guard pairs.count != 1 else { continue }
      for index in pairs.isEmpty ? indices : pairs {
        let others = indices.filter { $0 != index }.map { scan.entries[$0].ref.path }
        scan.entries[index].state = .duplicateId
        scan.entries[index].problems.append(
          Problem(
            .duplicateID, file: scan.entries[index].ref.path,
            message: "has the same id on the server as \(others.joined(separator: ", "))",
            hint:
              "remove the sidecar (\(scan.entries[index].sidecarPath)) of the one that is a copy"))
      }
    }
    guard !stale.isEmpty else { return }
    scan.staleSidecars = stale.sorted().map { scan.entries[$0].ref }
    scan.entries = scan.entries.enumerated().filter { !stale.contains($0.offset) }.map(\.element)
  }
}
