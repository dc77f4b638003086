import JSONText
public import StoryAPI
public import StoryLibrary

extension RunHistory.Run {
  /// The command: `sync push`, `rm heroes/luna`; `nil` if the run was interrupted earlier.
  public var command: String? { report?["command"]?.string }

  /// The records that it renamed or found renamed.
  public var moved: [(from: RecordRef, to: RecordRef)] {
    (report?["moved"]?.array ?? []).compactMap { move in
      guard let from = move["from"]?.string.flatMap({ RecordRef($0) }),
        let to = move["to"]?.string.flatMap({ RecordRef($0) })
      else { return nil }
      return (from, to)
    }
  }

  /// Goes back to the names that records had before the run.
  ///
  /// - Parameter named: The records, as they are named now, by the names that they had after the run.
  ///   Afterwards, by those that they had before it, without the records whose names were another
  ///   record's then: no older version is theirs.
  public func goBack(_ named: inout [RecordRef: RecordRef]) {
    let renamed = moved.map { ($0.from, named.removeValue(forKey: $0.to)) }
    for (name, ref) in renamed { named[name] = ref }
  }

  /// When the run started by this machine's clock, or `nil` if its folder was renamed.
  public var startedAt: ServerDate? {
    report?["startedAt"]?.string.flatMap { ServerDate($0) } ?? RunHistory.time(ofRun: name)
  }
}

extension RunHistory {
  /// Returns the time that a run's name says, or `nil` if it is no run's.
  static func time(ofRun name: String) -> ServerDate? {
    // `2026-11-20T10-00-00.000Z`; an older program wrote a number after it if two started at once.
    guard let end = name.firstIndex(of: "Z"), let time = name.firstIndex(of: "T"), time < end
    else { return nil }
    let clock = name[time...end].map { $0 == "-" ? ":" : $0 }
    return ServerDate(name[..<time] + String(clock))
  }

  /// The difference between an earlier version of a record and its current file.
  public enum Difference: Sendable, Hashable {
    /// Both are equal.
    case none
    /// Only the layout differs: white space, member order, number notation.
    case layout
    /// These fields differ, by their keys in the record.
    case fields([String])
    /// There is no such record now, or it cannot be read.
    case missing
    /// The version itself cannot be read.
    case unreadable
  }

  /// Returns the versions that a run replaced, in order.
  ///
  /// - Throws: `FileError` if they cannot be read.
  public func versions(in run: String) throws(FileError) -> [Version] {
    try SavedVersions(library, run: run).versions
  }

  /// Returns the number of versions and sidecars kept by a run other than a sync; zero for a sync,
  /// whose report says what it did.
  ///
  /// - Throws: `FileError` if they cannot be read.
  public func keptCounts(_ run: Run) throws(FileError) -> (versions: Int, sidecars: Int) {
    guard run.report?["schema"] == "stories.run/1" else { return (0, 0) }
    let saved = try SavedVersions(library, run: run.name)
    return (saved.versions.count, saved.sidecarCount)
  }

  /// Returns the number of lines that a run kept and that cannot be read, because they are
  /// damaged, or longer than a line may be: earlier versions of the program wrote such.
  ///
  /// - Throws: `FileError` if none can be read.
  public func unreadableLines(in run: String) throws(FileError) -> Int {
    try SavedVersions(library, run: run).unreadableLines
  }

  /// Returns all records with kept versions, with the number of versions. Without those that cannot be
  /// read; see ``unreadableLines(in:)``.
  ///
  /// - Throws: `FileError` if the runs cannot be listed.
  public func kept() throws(FileError) -> [RecordRef: Int] {
    var counts: [RecordRef: Int] = [:]
    for run in try runs() {
      for version in (try? versions(in: run.name)) ?? [] { counts[version.ref, default: 0] += 1 }
    }
    return counts
  }

  /// Returns the difference between a version and its record's current file.
  ///
  /// - Parameters:
  ///   - version: a version that was kept.
  ///   - references: the names and ids of the library.
  public func difference(of version: Version, references: ReferenceTable) -> Difference {
    let sidecar = try? library.sidecar(at: version.ref)
    guard let then = values(of: version, references, sidecar) else { return .unreadable }
    guard let bytes = try? library.read(version.ref.path),
      let file = try? RecordFile(ref: version.ref, bytes: bytes)
    else { return .missing }
    if bytes == version.text { return .none }
    let now = file.reading(references: references, sidecar: sidecar).values
    let fields = version.ref.kind.schema.fields.filter {
      now.effective($0) != then.effective($0)
    }
    if fields.isEmpty { return version.isServer ? .none : .layout }
    return .fields(fields.map(\.key))
  }

  /// Returns the values of a version in wire form, or `nil` if it cannot be read.
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
