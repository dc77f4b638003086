public import StoryLibrary

/// The problems of records, also of those that are in sync: what `check` lists and `doctor` counts.
public struct RecordProblems: Sendable {
  private let library: Library
  private let scan: Scan

  /// The problems of what a scan found.
  public init(_ scan: Scan, of library: Library) {
    self.scan = scan
    self.library = library
  }

  /// The problems of some records, in the library's order.
  public func problems(of refs: [RecordRef]) -> [Problem] {
    let wanted = Set(refs)
    let entries = scan.entries.filter { wanted.contains($0.ref) }
    return Parallel.map(entries, threads: 2) { problems(of: $0) }.flatMap(\.self)
  }

  /// The problems of one record.
  public func problems(of entry: ScanEntry) -> [Problem] {
    let files = LibraryFiles(library: library)
    guard entry.hasRecord, let file = try? files.file(entry.ref) else { return entry.problems }
    let sidecar =
      entry.id == nil ? nil : try? files.sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref)
    let own = file.problems(references: scan.references, sidecar: sidecar, mayBeDraft: true)
    return own + entry.problems.filter { !own.contains($0) }
  }

  /// The problems of records that are gone together with their sidecars.
  public var ofMissing: [Problem] {
    scan.missingPairs.filter { !$0.isTakenByGit }.map(\.problem)
  }

  /// The problems of the settings, and those beside single records.
  public var ofLibrary: [Problem] { library.configuration.problems + scan.problems }
}
