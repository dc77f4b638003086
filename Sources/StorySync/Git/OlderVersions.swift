import JSONText
public import StoryLibrary

/// Finds edited records that say what an older synced version said: git brought them back, and nobody
/// may have meant that as an edit.
///
/// What was synced is in the sidecars, and git keeps their versions. Only the sidecars of edited
/// records are asked for, in one walk over at most 256 commits that ends after three seconds.
public struct OlderVersions: Sendable {
  /// How many commits that changed one of the sidecars are looked at.
  static let commits = 256
  /// How many edited records are looked at.
  static let records = 100
  /// How long git may take.
  static let seconds = 3

  private let library: Library
  private let repository: GitRepository

  /// The versions of a library's records in its repository.
  public init(_ library: Library, in repository: GitRepository) {
    self.library = library
    self.repository = repository
  }

  /// Of the records of a scan, those that are edited and say what an older synced version said.
  ///
  /// Git not answering in time counts as none.
  public func found(in scan: Scan) -> Set<RecordRef> {
    let entries = scan.entries
    // By places, as most are not edited and need no copy.
    let edited = entries.indices.filter { entries[$0].state == .pendingUpdate }.lazy
      .map { entries[$0] }.filter { $0.renamedFrom == nil && !$0.changes.isEmpty }
      .prefix(Self.records)
    guard !edited.isEmpty, let versions = versions(of: edited.map(\.sidecarPath)),
      let texts = try? repository.contents(of: Array(Set(versions.values.flatMap { $0 })))
    else { return [] }
    let files = LibraryFiles(library: library)
    var found: Set<RecordRef> = []
    for entry in edited {
      guard let objects = versions[entry.sidecarPath], let file = try? files.file(entry.ref),
        let sidecar = try? files.sidecar(of: entry.ref, at: entry.ref)
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

  /// The objects that the paths were, by path.
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
    // `:100644 100644 0123… 4567… M<NUL>path<NUL>`; an object of zeros is none.
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
