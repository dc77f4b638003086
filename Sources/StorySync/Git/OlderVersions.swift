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
    guard !edited.isEmpty, let versions = versions(of: edited.map(\.sidecarPath)),
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

  /// Returns the objects that the paths had, by path.
  private func versions(of paths: [String]) -> [String: [String]]? {
    let literal = ["--"] + paths.map { ":(literal)" + $0 }
    guard
      let commits = try? repository.answer(
        .listRevisions, ["--max-count=\(Self.commits)", "HEAD"] + literal, seconds: Self.seconds),
      let output = try? repository.answer(
        .diffTree,
        ["--stdin", "--no-commit-id", "--root", "-r", "-m", "--raw", "-z", "--no-renames"]
          + ["--relative"] + literal,
        input: commits, seconds: Self.seconds)
    else { return nil }
    // `:100644 100644 0123… 4567… M<NUL>path<NUL>`; an object of zeros means none.
    var versions: [String: [String]] = [:]
    var objects: [String] = []
    for part in output.split(separator: 0) {
      let text = String(decoding: part, as: UTF8.self)
      if text.hasPrefix(":") {
        objects = text.split(separator: " ").dropFirst(2).prefix(2).map(String.init)
      } else if !objects.isEmpty {
        versions[text, default: []] += objects.filter { object in object.contains { $0 != "0" } }
        objects = []
      }
    }
    return versions
  }
}
