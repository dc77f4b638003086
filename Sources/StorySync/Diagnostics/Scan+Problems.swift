public import StoryLibrary

/// The problems of records, including synced ones, which `check` lists and `doctor` counts.
extension Scan {
  /// Returns the problems of some records of the scanned library, in its order.
  public func problems(of refs: [RecordRef], in library: Library) -> [Problem] {
    let wanted = Set(refs)
    let entries = entries.filter { wanted.contains($0.ref) }
    return Parallel.map(entries, threads: 2) { problems(of: $0, in: library) }.flatMap(\.self)
  }

  func problems(of entry: ScanEntry, in library: Library) -> [Problem] {
    guard entry.hasRecord, let file = try? library.file(entry.ref) else { return entry.problems }
    let sidecar = entry.id == nil ? nil : try? library.sidecar(of: entry)
    let own = file.problems(references: references, sidecar: sidecar, mayBeDraft: true)
    return own + entry.problems.filter { !own.contains($0) }
  }

  /// The problems of records that are missing together with their sidecars.
  public var missingProblems: [Problem] {
    missingPairs.filter { !$0.isTakenByGit }.map(\.problem)
  }
}
