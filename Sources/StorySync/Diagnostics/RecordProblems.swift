public import StoryLibrary

/// The problems of records, including synced ones, which `check` lists and `doctor` counts.
public struct RecordProblems: Sendable {
  private let library: Library
  private let scan: Scan

  /// Creates the problems of a scan.
  public init(_ scan: Scan, of library: Library) {
    self.scan = scan
    self.library = library
  }

  /// Returns the problems of some records, in the library's order.
  public func problems(of refs: [RecordRef]) -> [Problem] {
    let wanted = Set(refs)
    let entries = scan.entries.filter { wanted.contains($0.ref) }
    return Parallel.map(entries, threads: 2) { problems(of: $0) }.flatMap(\.self)
  }

  /// Returns the problems of one record.
  public func problems(of entry: ScanEntry) -> [Problem] {
    guard entry.hasRecord, let file = try? library.file(entry.ref) else { return entry.problems }
    let sidecar = entry.id == nil ? nil : try? library.sidecar(of: entry)
    let own = file.problems(references: scan.references, sidecar: sidecar, mayBeDraft: true)
    return own + entry.problems.filter { !own.contains($0) }
  }

  /// The problems of records that are missing together with their sidecars.
  public var ofMissing: [Problem] {
    scan.missingPairs.filter { !$0.isTakenByGit }.map(\.problem)
  }

  /// The problems of the settings, and those not tied to single records.
  public var ofLibrary: [Problem] { library.configuration.problems + scan.problems }
}
