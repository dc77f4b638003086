import JSONText
public import StoryAPI
public import StoryLibrary

extension RunHistory.Run {
  /// What was asked for: `sync push`, `rm heroes/luna`; `nil` where the run was interrupted before it
  /// could say.
  public var command: String? { report?["command"]?.string }

  /// When the run started; `nil` where its folder was given another name.
  public var startedAt: ServerDate? {
    // `2026-11-20T10-00-00.000Z`, with a number behind it where two started at once.
    guard let end = name.firstIndex(of: "Z"), let time = name.firstIndex(of: "T") else {
      return nil
    }
    let clock = name[time...end].map { $0 == "-" ? ":" : $0 }
    return ServerDate(name[..<time] + String(clock))
  }
}

extension RunHistory {
  /// How an earlier version of a record differs from what the record says now.
  public enum Difference: Sendable, Hashable {
    /// It is the very same.
    case none
    /// Only its layout differs: white space, the order of members, how numbers are written.
    case layout
    /// These fields differ, by their keys in the record.
    case fields([String])
    /// There is no such record now, or none that can be read.
    case missing
  }

  /// The versions that a run replaced, in the order in which it came to them.
  ///
  /// - Throws: `FileError` where they cannot be read.
  public func versions(in run: String) throws(FileError) -> [Version] {
    try SavedVersions(library, run: run).versions
  }

  /// How many versions and sidecars a run kept that was no sync; none for a sync, whose report says
  /// what it did.
  ///
  /// - Throws: `FileError` where they cannot be read.
  public func keptCounts(_ run: Run) throws(FileError) -> (versions: Int, sidecars: Int) {
    guard run.report?["schema"] == "stories.run/1" else { return (0, 0) }
    let saved = try SavedVersions(library, run: run.name)
    return (saved.versions.count, saved.sidecarCount)
  }

  /// All records of which a version is kept, with the number of versions.
  ///
  /// - Throws: `FileError`.
  public func kept() throws(FileError) -> [RecordRef: Int] {
    var counts: [RecordRef: Int] = [:]
    for run in try runs() {
      for version in try versions(in: run.name) { counts[version.ref, default: 0] += 1 }
    }
    return counts
  }

  /// How a version differs from what its record says now.
  ///
  /// - Parameters:
  ///   - version: a version that was kept.
  ///   - references: the names and ids of the library.
  public func difference(of version: Version, references: ReferenceTable) -> Difference {
    let files = LibraryFiles(library: library)
    guard let bytes = try? files.read(version.ref.path),
      let file = try? RecordFile(ref: version.ref, bytes: bytes)
    else { return .missing }
    if bytes == version.text { return .none }
    let sidecar = try? files.sidecar(of: version.ref, at: version.ref)
    let now = file.reading(references: references, sidecar: sidecar).values
    guard let then = values(of: version, references, sidecar) else { return .missing }
    let fields = version.ref.kind.schema.fields.filter {
      now.effective($0) != then.effective($0)
    }
    if fields.isEmpty { return version.isServer ? .none : .layout }
    return .fields(fields.map(\.key))
  }

  /// What a version says, in wire form; `nil` where it cannot be read.
  private func values(
    of version: Version, _ references: ReferenceTable, _ sidecar: Sidecar?
  ) -> FieldValues? {
    if version.isServer {
      let object = (try? JSONValue(parsing: version.text))?.object
      return object.map { FieldValues(kind: version.ref.kind, wire: $0) }
    }
    let file = try? RecordFile(ref: version.ref, bytes: version.text)
    return file?.reading(references: references, sidecar: sidecar).values
  }
}
