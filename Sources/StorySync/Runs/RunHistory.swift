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
  }

  /// What an undo did.
  public struct Undone: Sendable {
    /// The run that was undone.
    public var run: String
    /// Records that have their earlier content again, as an edit that the next push sends.
    public var restored: [RecordRef] = []
    /// Records that were left, with the reason.
    public var skipped: [(ref: RecordRef, reason: String)] = []
  }

  /// The library.
  public let library: Library
  private let time: TimeSource

  /// The history of a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  private var folder: String { library.statePath("runs") }

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
  /// Records that were edited since are skipped and named. Nothing is sent, and no sidecar changes.
  /// The undo is itself a run, so that it can be undone.
  /// - Parameters:
  ///   - name: the run; `nil` for the newest.
  ///   - isDryRun: whether only to tell what would be done.
  /// - Throws: `EditError.noSuchRun`; `EditError.changedMeanwhile` where a file was saved at that
  ///   moment; `LibraryError` (`locked`, `newerVersion`); `FileError`.
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
    let recorder = RunRecorder(library, startedAt: time.now().wire)
    var writer = VersionWriter(library: library, references: references, run: recorder)
    for ref in saved.refs {
      guard let version = saved.earliest(of: ref) else { continue }
      let current = (try? FileSystem.read(library.path(ref.path))).map { ContentDigest($0) }
      guard let after = saved.after[ref], after == current else {
        undone.skipped.append((ref, "it was edited since"))
        continue
      }
      if let error = Self.objection(to: ref) {
        undone.skipped.append((ref, error.message))
        continue
      }
      do {
        if try writer.add(version) { undone.restored.append(ref) }
      } catch let problem as Problem {
        undone.skipped.append((ref, problem.message))
      }
    }
    if !isDryRun { try writer.commit(command: "undo \(run.name)") } else { writer.discard() }
    return undone
  }

  /// Why no earlier version of a record is put back; `nil` where one can be. Nobody could send one of a
  /// record that only the server makes.
  private static func objection(to ref: RecordRef) -> EditError? {
    ref.kind.schema.isReadOnly ? .readOnly(ref) : nil
  }

  /// Gives one record the content of an earlier version, as a pending edit. This is itself a run.
  ///
  /// - Parameters:
  ///   - version: one of ``versions(of:)``.
  ///   - isDryRun: whether only to tell whether anything would change.
  /// - Returns: whether the record changes.
  /// - Throws: `Problem` where the record as it is now cannot be read; `EditError.changedMeanwhile`,
  ///   and `readOnly` for a record that only the server makes;
  ///   `LibraryError` (`locked`, `newerVersion`); `FileError`.
  @discardableResult
  public func restore(_ version: Version, isDryRun: Bool = false) throws -> Bool {
    if let error = Self.objection(to: version.ref) { throw error }
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let saved = try SavedVersions(library, run: version.run)
    let references = saved.references(try Scanner(library).scan().references)
    let recorder = RunRecorder(library, startedAt: time.now().wire)
    var writer = VersionWriter(library: library, references: references, run: recorder)
    let isChanged = try writer.add(version)
    if isDryRun {
      writer.discard()
    } else {
      try writer.commit(command: "restore \(version.ref)")
    }
    return isChanged
  }

  /// Keeps records in a run of their own that go without a file here, so that `restore` can bring
  /// them back. Each gets a name made from its title.
  ///
  /// - Parameters:
  ///   - records: the person's part of each, in wire form.
  ///   - command: what the run is called.
  /// - Returns: the run's name, and the names under which the records are kept.
  /// - Throws: `FileError`.
  public func keep(
    _ records: [(kind: EntityKind, fields: FieldValues)], command: String
  ) throws -> (run: String, refs: [RecordRef]) {
    let recorder = RunRecorder(library, startedAt: time.now().wire)
    var taken: Set<RecordRef> = []
    var refs: [RecordRef] = []
    for (kind, fields) in records {
      let slug = Slug.make(fields.title ?? "", fallback: kind.schema.noun)
      var ref = RecordRef(kind: kind, name: slug)
      var number = 1
      while !taken.insert(ref).inserted {
        number += 1
        ref = RecordRef(kind: kind, name: "\(slug)-\(number)")
      }
      recorder.save(ref, .server, text: JSONValue.object(fields.wire).compactBytes)
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
