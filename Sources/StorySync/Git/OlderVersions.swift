import JSONText
public import StoryLibrary

/// Finds edited records that equal an older synced version, which git may have restored unintended.
///
/// The synced versions are in the sidecars, whose history git has. Only the sidecars of edited
/// records are looked up, in one walk over at most 256 commits that ends after three seconds.
public struct OlderVersions: Sendable {
  /// The maximum number of commits to look at, of those that changed one of the sidecars.
  static let commits = 256
  /// The maximum number of edited records to look at.
  static let records = 100
  static let seconds = 3

  private let library: Library
  private let repository: GitRepository

  /// Creates a search in a library's repository.
  public init(_ library: Library, in repository: GitRepository) {
    self.library = library
    self.repository = repository
  }

  /// Returns the edited records of a scan that equal an older synced version.
  ///
  /// None if git does not answer in time.
  public func found(in scan: Scan) -> Set<RecordRef> {
    let entries = scan.entries
    // By index, because most are not edited and need no copy.
    let edited = entries.indices.filter { entries[$0].state == .pendingUpdate }.lazy
      .map { entries[$0] }.filter { $0.renamedFrom == nil && !$0.changes.isEmpty }
      .prefix(Self.records)
    guard !edited.isEmpty,
      let versions = repository.versions(
        of: edited.map(\.sidecarPath),
        // Where a merge took one side as it is, git would leave out the other side's history.
        in: ["--max-count=\(Self.commits)", "--full-history", "HEAD"],
        seconds: Self.seconds),
      let texts = try? repository.contents(of: Array(Set(versions.values.flatMap { $0 })))
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
