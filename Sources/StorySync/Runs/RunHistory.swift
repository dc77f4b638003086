public import JSONText
public import StoryAPI
public import StoryLibrary

/// What earlier runs kept: `log`, `undo` and `restore`.
public struct RunHistory {
  /// One run.
  public struct Run: Sendable {
    /// Its name, the folder under `.stories/runs/`: when it started, in UTC.
    public var name: String
    /// How it ended; `nil` where it was interrupted before it could say.
    public var report: JSONValue?
    /// The size of what it kept, in bytes.
    public var size: Int
  }

  /// One version of a record that a run replaced.
  public struct Version: Sendable {
    /// The run that replaced it.
    public var run: String
    /// The record.
    public var ref: RecordRef
    /// Whether the version was the server's; else it was the file's.
    public var isServer: Bool
    /// The file's bytes, or the person's part in wire form.
    public var text: [UInt8]
    /// The mode of a file that the run removed; `nil` if it is not known.
    public var mode: UInt32?
  }

  /// What an undo did.
  public struct Undone: Sendable {
    /// The run that was undone.
    public var run: String
    /// Records that have their earlier content again, as an edit that the next push sends.
    public var restored: [RecordRef] = []
    /// Records that had no file before the run, and so have none again.
    public var removed: [RecordRef] = []
    /// Records that were left, with the reason.
    public var skipped: [(ref: RecordRef, reason: Obstacle)] = []
  }

  /// Why an undo leaves a record as it is.
  public enum Obstacle: Error, Sendable, Hashable {
    /// The record was edited after the run.
    case edited
    /// The run kept the record but did not change it.
    case notChanged
    /// The run was interrupted before it noted what it made of the record.
    case interrupted
    /// The file was saved during the undo.
    case savedMeanwhile
    /// Such records cannot be changed here.
    case refused(EditError)
    /// What the run kept cannot be read.
    case problem(Problem)
  }

  /// The library.
  public let library: Library
  private let time: TimeSource

  /// The history of a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  private var folder: ConfinedPath { library.statePath("runs") }

  /// The runs, newest first.
  ///
  /// - Throws: `FileError` where the folder cannot be listed.
  public func runs() throws(FileError) -> [Run] {
    guard FileSystem.exists(folder) else { return [] }
    return try FileSystem.list(folder).reversed().compactMap { entry in
      guard entry.type == .folder else { return nil }
      let path = Path.join(folder, entry.name)
      let report = (try? FileSystem.read(Path.join(path, "report.json")))
        .flatMap { try? JSONValue(parsing: $0) }
      let saved = try? FileSystem.status(Path.join(path, "saved.jsonl"))
      return Run(name: entry.name, report: report, size: saved?.size ?? 0)
    }
  }

  /// The versions of a record that runs replaced, newest first.
  ///
  /// - Throws: `FileError`.
  public func versions(of ref: RecordRef) throws -> [Version] {
    try runs().flatMap { run in
      try SavedVersions(library, run: run.name).versions.reversed().filter { $0.ref == ref }
    }
  }

  /// Gives each record that a run changed the content it had before, as a pending edit.
  ///
  /// A record that the run made, as an undo of `rm` does, is removed again. A conflict that the run
  /// settled and a delete that it stated are given back as well. Records that were edited since are
  /// skipped and named. Nothing is sent. The undo is itself a run, so that it can be undone.
  /// - Parameters:
  ///   - name: the run; `nil` for the newest.
  ///   - isDryRun: whether only to say what would be done.
  /// - Throws: `EditError.noSuchRun`; `LibraryError` (`locked`, `newerVersion`); `FileError`.
  public func undo(_ name: String? = nil, isDryRun: Bool = false) throws -> Undone {
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let runs = try runs()
    guard let run = name.map({ wanted in runs.first { $0.name == wanted } }) ?? runs.first else {
      throw EditError.noSuchRun(name ?? "")
    }
    let saved = try SavedVersions(library, run: run.name)
    let references = saved.references(try Scanner(library).scan().references)
    var undone = Undone(run: run.name)
    var writer = VersionWriter(
      library: library, references: references,
      run: RunRecorder(library, startedAt: time.now().wire))
    for ref in saved.refs {
      guard let before = saved.before(ref) else { continue }
      if let reason = obstacle(ref, before, in: saved, isFinished: run.report != nil) {
        undone.skipped.append((ref, reason))
        continue
      }
      do {
        let sidecar = saved.sidecars[ref]
        let place = sidecar?.place ?? ref
        let content: VersionWriter.Content =
          switch before {
          case .absent: .absent
          case .version(let version): try self.content(of: version, writer)
          }
        guard try writer.add(ref, content, sidecar: sidecar?.bytes, at: place) else { continue }
        if case .absent = before { undone.removed.append(ref) } else { undone.restored.append(ref) }
      } catch let problem as Problem {
        undone.skipped.append((ref, .problem(problem)))
      }
    }
    if isDryRun {
      writer.discard()
    } else {
      let left = try writer.commit(command: "undo \(run.name)")
      undone.restored.removeAll(where: left.contains)
      undone.removed.removeAll(where: left.contains)
      undone.skipped += left.sorted().map { ($0, .savedMeanwhile) }
    }
    return undone
  }

  /// Returns why a record is not given back what it had before a run, or `nil` if it can be.
  private func obstacle(
    _ ref: RecordRef, _ before: SavedVersions.Before, in saved: SavedVersions, isFinished: Bool
  ) -> Obstacle? {
    if let error = Self.objection(to: ref) { return .refused(error) }
    let current = (try? FileSystem.read(library.path(ref.path))).map { ContentDigest($0) }
    if let after = saved.after[ref] { return after == current ? nil : .edited }
    // The run kept the record, but did not come to note what it made of it.
    if case .version(let version) = before, !version.isServer,
      ContentDigest(version.text) == current
    {
      return nil
    }
    return isFinished ? .notChanged : .interrupted
  }

  /// What a version gives its record.
  private func content(
    of version: Version, _ writer: VersionWriter
  ) throws -> VersionWriter.Content {
    guard version.isServer else { return .text(version.text, mode: version.mode) }
    let ref = version.ref
    let object = try JSONValue(parsing: version.text).object ?? JSONObject()
    let current = try? FileSystem.read(library.path(ref.path))
    return .text(
      writer.text(
        FieldValues(kind: ref.kind, wire: object), of: ref, over: current, sidecar: nil))
  }

  /// Returns why no earlier version of a record is put back, or `nil` if one can be. Nobody could
  /// send one of a record that only the server makes.
  private static func objection(to ref: RecordRef) -> EditError? {
    ref.kind.schema.isReadOnly ? .readOnly(ref) : nil
  }

  // MARK: Restoring

  /// What a restore did.
  public struct Restored: Sendable {
    /// Records that say something else now.
    public var restored: [RecordRef] = []
    /// Records that held what they were to be given.
    public var unchanged: [RecordRef] = []
    /// Records that were left, with an `EditError` or a `Problem` each.
    public var skipped: [(ref: RecordRef, error: any Error)] = []
  }

  /// Gives records the last synced version, which their sidecars hold, or earlier ones. This is a
  /// run, so it can be undone.
  ///
  /// Needs no server, no git and no earlier run. Of a record that can be read, members that are not
  /// synced stay as they are. A delete that was stated is taken back.
  /// - Parameters:
  ///   - refs: the records.
  ///   - versions: the versions of those that are to be given an earlier one.
  ///   - scan: what was found in the library.
  ///   - isDryRun: whether only to say what would be done.
  /// - Throws: `EditError.readOnly` for a record that only the server makes; `LibraryError`
  ///   (`locked`, `newerVersion`); `FileError`.
  public func restore(
    _ refs: [RecordRef], to versions: [RecordRef: Version] = [:], scan: Scan,
    isDryRun: Bool = false
  ) throws -> Restored {
    for ref in refs { if let error = Self.objection(to: ref) { throw error } }
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    var references = scan.references
    for run in Set(versions.values.map(\.run)) {
      references = try SavedVersions(library, run: run).references(references)
    }
    // Records that come back can be named by others that do.
    for ref in refs where !references.contains(ref) {
      if let id = scan.entry(ref)?.id { references.add(ref, id: id) }
    }
    var writer = VersionWriter(
      library: library, references: references,
      run: RunRecorder(library, startedAt: time.now().wire))
    var result = Restored()
    for ref in refs {
      do {
        let entry = scan.entry(ref)
        let content: VersionWriter.Content
        if let version = versions[ref] {
          content = try self.content(of: version, writer)
        } else {
          content = try base(of: ref, entry, writer)
        }
        if try writer.add(ref, content, at: entry?.renamedFrom ?? ref) {
          result.restored.append(ref)
        } else {
          result.unchanged.append(ref)
        }
      } catch let error as EditError {
        result.skipped.append((ref, error))
      } catch let problem as Problem {
        result.skipped.append((ref, problem))
      }
    }
    guard !isDryRun else {
      writer.discard()
      return result
    }
    let names = refs.map(\.description).joined(separator: " ")
    let left = try writer.commit(command: "restore \(names)")
    result.restored.removeAll(where: left.contains)
    result.skipped += left.sorted().map { ($0, EditError.changedMeanwhile($0)) }
    return result
  }

  /// The content of a record's file that says what its sidecar's base does.
  private func base(
    of ref: RecordRef, _ entry: ScanEntry?, _ writer: VersionWriter
  ) throws -> VersionWriter.Content {
    guard let entry, !entry.namedIDs.isEmpty else { throw EditError.noVersion(ref) }
    switch entry.state {
    case .notCheckedOut: throw EditError.notCheckedOut(ref)
    case .conflict where entry.hasRecord: throw EditError.inConflict(ref)
    case .duplicateId:
      if let problem = entry.problems.last(where: { $0.code == .duplicateID }) { throw problem }
    default: break
    }
    let files = LibraryFiles(library: library)
    let sidecar = try files.sidecar(of: ref, at: entry.renamedFrom ?? ref)
    let current = entry.hasRecord ? try files.read(ref.path) : nil
    return .text(writer.text(sidecar.base, of: ref, over: current, sidecar: sidecar))
  }

  /// Gives one record the content of an earlier version, as a pending edit. This is itself a run.
  ///
  /// - Parameters:
  ///   - version: one of ``versions(of:)``.
  ///   - isDryRun: whether only to say whether anything would change.
  /// - Returns: whether the record changes.
  /// - Throws: as ``restore(_:to:scan:isDryRun:)``; `EditError.changedMeanwhile` if somebody saved the
  ///   file at the same moment; `Problem` if it cannot be read.
  @discardableResult
  public func restore(_ version: Version, isDryRun: Bool = false) throws -> Bool {
    let ref = version.ref
    let result = try restore(
      [ref], to: [ref: version], scan: try Scanner(library).scan(), isDryRun: isDryRun)
    guard result.skipped.isEmpty else { throw EditError.changedMeanwhile(ref) }
    return !result.restored.isEmpty
  }

  /// Gives a record other fields, as a pending edit. This is itself a run, which keeps what it had.
  ///
  /// - Parameters:
  ///   - ref: the record.
  ///   - fields: the person's part in wire form.
  ///   - command: what the run is called.
  /// - Throws: as ``restore(_:isDryRun:)``.
  package func rewrite(_ ref: RecordRef, to fields: JSONObject, command: String) throws {
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let references = try Scanner(library).scan().references
    var writer = VersionWriter(
      library: library, references: references,
      run: RunRecorder(library, startedAt: time.now().wire))
    let current = try FileSystem.read(library.path(ref.path))
    let values = FieldValues(kind: ref.kind, wire: fields)
    _ = try writer.add(
      ref, .text(writer.text(values, of: ref, over: current, sidecar: nil), mode: nil), at: ref)
    guard try writer.commit(command: command).isEmpty else {
      throw EditError.changedMeanwhile(ref)
    }
  }

  /// A record of the server that has no file here.
  public struct Unfiled: Sendable {
    /// The record's name, if it had a file once; otherwise it gets one made from its title.
    public var ref: RecordRef?
    /// Its kind.
    public var kind: EntityKind
    /// The server's id.
    public var id: String
    /// The person's part.
    public var fields: FieldValues

    /// A record from its parts.
    public init(ref: RecordRef? = nil, kind: EntityKind, id: String, fields: FieldValues) {
      self.ref = ref
      self.kind = kind
      self.id = id
      self.fields = fields
    }
  }

  /// Keeps records in a run of their own that go without a file here, so that `undo` and `restore`
  /// can bring them back.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - command: what the run is called.
  /// - Returns: the run's name, and the names under which the records are kept.
  /// - Throws: `FileError`.
  public func keep(
    _ records: [Unfiled], command: String
  ) throws -> (run: String, refs: [RecordRef]) {
    let recorder = RunRecorder(library, startedAt: time.now().wire)
    var taken = Set(records.compactMap(\.ref))
    var refs: [RecordRef] = []
    for record in records {
      var ref = record.ref
      if ref == nil {
        let slug = Slug.make(record.fields.title ?? "", fallback: record.kind.schema.noun)
        var number = 1
        var name = RecordRef(kind: record.kind, name: slug)
        while !taken.insert(name).inserted {
          number += 1
          name = RecordRef(kind: record.kind, name: "\(slug)-\(number)")
        }
        ref = name
      }
      guard let ref else { continue }
      recorder.save(
        ref, .server, text: JSONValue.object(record.fields.wire).compactBytes, id: record.id)
      recorder.note(ref, after: nil)
      refs.append(ref)
    }
    try recorder.finish(command: command)
    return (recorder.name, refs)
  }

  /// How long and how much of what runs kept stays.
  public struct Limits: Sendable, Hashable {
    /// How old a run may become.
    public var age: Duration
    /// How much all runs may hold, in bytes.
    public var bytes: Int

    /// Limits; 30 days and 200 MiB where nothing else is said.
    public init(age: Duration = .seconds(30 * 86_400), bytes: Int = 200 << 20) {
      self.age = age
      self.bytes = bytes
    }
  }

  /// Removes runs that are too old or, oldest first, too much in all; the newest run always stays.
  ///
  /// - Throws: `FileError`.
  public func prune(_ limits: Limits = Limits()) throws {
    let oldest = time.now().advanced(by: .zero - limits.age).wire
    let limit = String(oldest.map { $0 == ":" ? "-" : $0 })
    var total = 0
    for (place, run) in try runs().enumerated() {
      total += run.size
      guard place > 0, run.name < limit || total > limits.bytes else { continue }
      try FileSystem.removeTree(Path.join(folder, run.name))
    }
  }
}
