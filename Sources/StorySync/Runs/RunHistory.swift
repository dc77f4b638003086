public import JSONText
public import StoryAPI
public import StoryLibrary

/// The versions kept by earlier runs: `log`, `undo` and `restore`.
public struct RunHistory {
  /// One run.
  public struct Run: Sendable {
    /// The run's name, its folder in `.stories/runs/`: its start in UTC.
    public var name: String
    /// The run's report, or `nil` if it was interrupted before the report was written.
    public var report: JSONValue?
    /// The size of the kept versions in bytes.
    public var size: Int
  }

  /// One version of a record that a run replaced.
  public struct Version: Sendable {
    /// The run that replaced it.
    public var run: String
    /// The record.
    public var ref: RecordRef
    /// Whether the version was the server's, not the file's.
    public var isServer: Bool
    /// The file's bytes, or the server's version in wire form.
    public var text: [UInt8]
    /// The mode of a file that the run removed, or `nil` if unknown.
    public var mode: UInt32?

    /// Returns the version as one of the name that its record has now.
    public func renamed(to ref: RecordRef) -> Version {
      var version = self
      version.ref = ref
      return version
    }
  }

  /// The result of an undo.
  public struct Undone: Sendable {
    /// The run that was undone.
    public var run: String
    /// Records restored to their earlier content, as edits that the next push sends.
    public var restored: [RecordRef] = []
    /// Records that had no file before the run and were removed again.
    public var removed: [RecordRef] = []
    /// Records that were left unchanged, with the reason.
    public var skipped: [(ref: RecordRef, reason: Obstacle)] = []
  }

  /// The reason why an undo leaves a record unchanged.
  public enum Obstacle: Error, Sendable, Hashable {
    /// The record was edited after the run.
    case edited
    /// The record's file was renamed or removed after the run.
    case gone
    /// The run kept the record but did not change it.
    case notChanged
    /// The run was interrupted before it recorded the result for this record.
    case interrupted
    /// The file was saved during the undo.
    case savedMeanwhile
    /// Such records cannot be changed locally, or the record is open in an editor.
    case refused(EditError)
    /// The record or its name cannot be used.
    case problem(Problem)
    /// The record's file or sidecar cannot be read or written.
    case failed(FileError)
  }

  /// A record that a command skipped, with an `EditError`, a `Problem` or a `FileError`.
  public typealias Skipped = (ref: RecordRef, error: any Error)

  /// The library.
  public let library: Library
  private let time: TimeSource

  /// Creates the history of a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  private var folder: ConfinedPath { library.statePath("runs") }

  /// Returns the runs, newest first.
  ///
  /// - Throws: `FileError` if the folder cannot be listed.
  public func runs() throws(FileError) -> [Run] {
    try names().map { name in
      let path = Path.join(folder, name)
      let report = (try? FileSystem.read(Path.join(path, "report.json")))
        .flatMap { try? JSONValue(parsing: $0) }
      let files = (try? FileSystem.list(path)) ?? []
      let sizes = files.filter { $0.name != "report.json" }.map { file in
        ((try? FileSystem.status(Path.join(path, file.name))) ?? nil)?.size ?? 0
      }
      return Run(name: name, report: report, size: sizes.reduce(0, +))
    }
  }

  /// A sidecar that a move of the library to another server removed.
  package struct MovedSidecar: Sendable {
    package var ref: RecordRef
    /// The record's name by now, as far as runs know of renames.
    package var current: RecordRef
    /// The record that its path belongs to.
    package var place: RecordRef
    package var id: String
    package var bytes: [UInt8]
  }

  /// Returns the sidecars that moves removed, of each id the last one. A run that was cut off may be a move.
  ///
  /// - Throws: `FileError`.
  package func movedSidecars() throws(FileError) -> [MovedSidecar] {
    var moved: [MovedSidecar] = []
    var known: Set<String> = []
    var renamed: [RecordRef: RecordRef] = [:]
    for run in try runs() {
      if run.report == nil || run.command?.hasPrefix("remote set") == true,
        let saved = try? SavedVersions(library, run: run.name)
      {
        for (ref, sidecar) in saved.sidecars {
          guard let id = saved.ids[ref], known.insert("\(ref.kind)/\(id)").inserted else {
            continue
          }
          moved.append(
            MovedSidecar(
              ref: ref, current: renamed[ref] ?? ref, place: sidecar.place, id: id,
              bytes: sidecar.bytes))
        }
      }
      let later = renamed
      for (from, to) in run.moved { renamed[from] = later[to] ?? to }
    }
    return moved
  }

  /// Adds the ids that records had before the library moved from other servers.
  private func addFormerIDs(to references: inout ReferenceTable) throws(FileError) {
    for sidecar in try movedSidecars() { references.add(sidecar.current, formerID: sidecar.id) }
  }

  /// Returns the names of the runs, newest first.
  func names() throws(FileError) -> [String] {
    guard FileSystem.exists(folder) else { return [] }
    return try FileSystem.list(folder).reversed().filter { $0.type == .folder }.map(\.name)
  }

  /// Returns the versions of a record that runs replaced, newest first, also those that were kept
  /// before it was renamed. Without those that cannot be read; see ``unreadableLines(in:)``.
  ///
  /// - Parameters:
  ///   - ref: The record.
  ///   - place: The name that it had before a rename that no run knows of yet, or `nil`.
  /// - Throws: `FileError`.
  public func versions(of ref: RecordRef, named place: RecordRef? = nil) throws -> [Version] {
    var versions: [Version] = []
    var named = [ref: ref]
    if let place { named[place] = ref }
    for run in try runs() where !named.isEmpty {
      versions += ((try? self.versions(in: run.name)) ?? []).reversed()
        .filter { named[$0.ref] != nil }.map { $0.renamed(to: ref) }
      run.goBack(&named)
    }
    return versions
  }

  /// Restores each record that a run changed to its content before the run, as a pending edit.
  ///
  /// A record that the run created, as an undo of `rm` does, is removed again, and one that it only
  /// renamed gets its former name. Conflicts that the run resolved and deletes that it requested are
  /// restored too. Records that were edited since or cannot be written are skipped and reported; undoing
  /// the same run again continues. Nothing is sent. The undo is itself a run, so it can be undone.
  /// - Parameters:
  ///   - name: the run, or `nil` for the newest.
  ///   - isDryRun: whether to change nothing.
  /// - Throws: `EditError.noSuchRun`; `LibraryError` (`locked`, `newerVersion`); `FileError` if runs cannot
  ///   be read or written.
  public func undo(_ name: String? = nil, isDryRun: Bool = false) throws -> Undone {
    try library.checkWritable()
    if let undone = try takeBackMove(name, isDryRun: isDryRun) { return undone }
    let lock = try Recovery.lock(library, isDryRun: isDryRun).lock
    defer { withExtendedLifetime(lock) {} }
    let run = try chosen(name, of: try runs())
    let saved = try SavedVersions(library, run: run.name)
    var references = saved.references(try Scanner(askingGit: library).scan().references)
    try addFormerIDs(to: &references)
    saved.addReferencedIDs(to: &references)
    var undone = Undone(run: run.name)
    var writer = VersionWriter(library, references: references, time: time)
    for ref in saved.refs {
      // If the local version cannot be read, the server's must not take its place.
      if saved.unreadable.contains(ref), (saved.before[ref] ?? nil)?.isServer != false {
        undone.skipped.append((ref, .refused(.noReadableVersion(ref))))
        continue
      }
      guard let before = saved.before[ref] else { continue }
      if let reason = obstacle(ref, before, in: saved, isFinished: run.report != nil) {
        undone.skipped.append((ref, reason))
        continue
      }
      do {
        let sidecar = saved.sidecars[ref]
        let place = sidecar?.place ?? ref
        let isChanged = try writer.add(
          ref, before.map { try text(of: $0, writer) }, mode: before?.mode,
          sidecar: sidecar?.bytes, hadNoSidecar: saved.withoutSidecar.contains(ref), at: place)
        guard isChanged else { continue }
        if before == nil { undone.removed.append(ref) } else { undone.restored.append(ref) }
      } catch let error as EditError {
        undone.skipped.append((ref, .refused(error)))
      } catch let problem as Problem {
        undone.skipped.append((ref, .problem(problem)))
      } catch let error as FileError {
        undone.skipped.append((ref, .failed(error)))
      }
    }
    let skipped = try writer.commit(command: "undo \(run.name)", isDryRun: isDryRun)
    let left = Set(skipped.map(\.ref))
    undone.restored.removeAll(where: left.contains)
    undone.removed.removeAll(where: left.contains)
    undone.skipped += skipped.map { ref, error in
      (ref, (error as? FileError).map(Obstacle.failed) ?? .savedMeanwhile)
    }
    return undone
  }

  private func chosen(_ name: String?, of runs: [Run]) throws(EditError) -> Run {
    guard let run = name.map({ wanted in runs.first { $0.name == wanted } }) ?? runs.first else {
      throw .noSuchRun(name ?? "")
    }
    return run
  }

  /// Undoes a run that is a rename. Returns `nil` for any other run.
  private func takeBackMove(_ name: String?, isDryRun: Bool) throws -> Undone? {
    let runs = try runs()
    let run = try chosen(name, of: runs)
    // A sync also lists renames, but it only found them; the user made them.
    guard let move = run.moved.first, run.command?.hasPrefix("sync") == false else { return nil }
    var undone = Undone(run: run.name)
    // Another record may have the name by now.
    for later in runs.prefix(while: { $0.name != run.name }) {
      let isRemoved = try SavedVersions(library, run: later.name).after[move.to] == .some(nil)
      if isRemoved || later.moved.contains(where: { $0.from == move.to || $0.to == move.to }) {
        undone.skipped = [(move.to, .gone)]
        return undone
      }
    }
    do {
      try LibraryEditor(library, time: time).move(
        move.to, to: move.from, isDryRun: isDryRun, asRun: "undo \(run.name)")
      undone.restored = [move.from]
    } catch EditError.noSuchRecord, EditError.removed {
      undone.skipped = [(move.to, .gone)]
    } catch let error as EditError {
      undone.skipped = [(move.to, .refused(error))]
    } catch let problem as Problem {
      undone.skipped = [(move.to, .problem(problem))]
    }
    return undone
  }

  /// Returns why a record cannot be restored to its content before a run, or `nil` if it can be.
  private func obstacle(
    _ ref: RecordRef, _ before: Version?, in saved: SavedVersions, isFinished: Bool
  ) -> Obstacle? {
    // A record that only the server makes could not be sent.
    if ref.kind.schema.isReadOnly { return .refused(.readOnly(ref)) }
    let path = library.path(ref.path)
    let current = FileSystem.digest(path)
    // The run did not get to change it, or an undo that was interrupted or failed for others did.
    if let before, !before.isServer, ContentDigest(before.text) == current { return nil }
    guard let after = saved.after[ref] else { return isFinished ? .notChanged : .interrupted }
    if after == current { return nil }
    return FileSystem.exists(path) ? .edited : .gone
  }

  private func text(of version: Version, _ writer: VersionWriter) throws -> [UInt8] {
    guard version.isServer else { return version.text }
    let ref = version.ref
    guard let object = (try? JSONValue(parsing: version.text))?.object else {
      throw EditError.noReadableVersion(ref)
    }
    let current = try? FileSystem.read(library.path(ref.path))
    return writer.text(
      FieldValues(kind: ref.kind, wire: object), of: ref, over: current, sidecar: nil)
  }

  // MARK: Restoring

  /// The result of a restore.
  public struct Restored: Sendable {
    /// Records whose content changed.
    public var restored: [RecordRef] = []
    /// Records that already had that content.
    public var unchanged: [RecordRef] = []
    /// Records that were skipped.
    public var skipped: [Skipped] = []
  }

  /// Restores records to the last synced versions, which are in their sidecars, or to earlier ones.
  /// This is a run, so it can be undone.
  ///
  /// Needs no server, no git and no earlier run. In a readable record, members that are not synced
  /// are unchanged. A requested delete is withdrawn.
  /// - Parameters:
  ///   - refs: the records.
  ///   - versions: the versions for those records that get an earlier one.
  ///   - scan: a scan of the library.
  ///   - isDryRun: whether to change nothing.
  /// - Throws: `EditError.readOnly` for a record that only the server makes; `LibraryError`
  ///   (`locked`, `newerVersion`); `FileError` if runs cannot be read or written.
  public func restore(
    _ refs: [RecordRef], to versions: [RecordRef: Version] = [:], scan: Scan,
    isDryRun: Bool = false
  ) throws -> Restored {
    if let ref = refs.first(where: \.kind.schema.isReadOnly) { throw EditError.readOnly(ref) }
    let (lock, recovered) = try Recovery.lock(library, isDryRun: isDryRun)
    defer { withExtendedLifetime(lock) {} }
    let scan = recovered ?? scan
    var references = scan.references
    let saved = try Set(versions.values.map(\.run)).map { try SavedVersions(library, run: $0) }
    for run in saved { references = run.references(references) }
    try addFormerIDs(to: &references)
    // Restored records can reference each other.
    for ref in refs where !references.contains(ref) {
      if let id = scan.entry(ref)?.id { references.add(ref, id: id) }
    }
    for run in saved { run.addReferencedIDs(to: &references) }
    for ref in refs where versions[ref] == nil {
      if let entry = scan.entry(ref), let sidecar = try? library.sidecar(of: entry) {
        references.add(formerIDsIn: sidecar)
      }
    }
    var writer = VersionWriter(library, references: references, time: time)
    var result = Restored()
    let missing = Set(scan.missingPairs.lazy.filter { !$0.isTakenByGit }.map(\.ref))
    for ref in refs {
      do {
        let entry = scan.entry(ref)
        try entry?.checkNameIsUnique()
        let text: [UInt8]
        if let version = versions[ref] {
          text = try self.text(of: version, writer)
        } else if missing.contains(ref) {
          throw EditError.missing(ref)
        } else {
          text = try base(of: ref, entry, writer)
        }
        if try writer.add(ref, text, mode: versions[ref]?.mode, at: entry?.place ?? ref) {
          result.restored.append(ref)
        } else {
          result.unchanged.append(ref)
        }
      } catch {
        result.skipped.append((ref, error))
      }
    }
    let skipped = try writer.commit(
      command: RunRecorder.command("restore", refs), isDryRun: isDryRun)
    result.restored.removeAll(where: Set(skipped.map(\.ref)).contains)
    result.skipped += skipped
    return result
  }

  /// Returns the content of a record's file that equals its sidecar's base.
  private func base(
    of ref: RecordRef, _ entry: ScanEntry?, _ writer: VersionWriter
  ) throws -> [UInt8] {
    guard let entry, !entry.namedIDs.isEmpty else { throw EditError.noVersion(ref) }
    switch entry.state {
    case .notCheckedOut: throw EditError.notCheckedOut(ref)
    case .conflict where entry.hasRecord: throw EditError.inConflict(ref)
    case .duplicateId:
      if let problem = entry.problems.last(where: { $0.code == .duplicateID }) { throw problem }
    default: break
    }
    let sidecar = try library.sidecar(of: entry)
    let current = entry.hasRecord ? try library.read(ref.path) : nil
    return writer.text(sidecar.base, of: ref, over: current, sidecar: sidecar)
  }

  /// A record of the server without a local file.
  public struct Unfiled: Sendable {
    /// The record's name if it had a file once; otherwise it gets one made from its title, which no file
    /// has.
    public var ref: RecordRef?
    /// Its kind.
    public var kind: EntityKind
    /// The server's id.
    public var id: String
    /// The fields that people own.
    public var fields: FieldValues

    /// Creates a record.
    public init(ref: RecordRef? = nil, kind: EntityKind, id: String, fields: FieldValues) {
      self.ref = ref
      self.kind = kind
      self.id = id
      self.fields = fields
    }
  }

  /// Keeps records without local files in their own run, so that `undo` and `restore` can return
  /// them.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - command: the run's command.
  /// - Returns: the run's name, and the names under which the records are kept.
  /// - Throws: `FileError`.
  public func keep(
    _ records: [Unfiled], command: String
  ) throws -> (run: String, refs: [RecordRef]) {
    let recorder = RunRecorder(library, time)
    var taken = Set(records.compactMap(\.ref))
    var refs: [RecordRef] = []
    func freeName(for record: Unfiled) -> RecordRef {
      let slug = Slug.make(record.fields.title ?? "", fallback: record.kind.schema.noun)
      var number = 1
      var name = RecordRef(kind: record.kind, name: slug)
      while !taken.insert(name).inserted || FileSystem.exists(library.path(name.path)) {
        number += 1
        name = RecordRef(kind: record.kind, name: "\(slug)-\(number)")
      }
      return name
    }
    for record in records {
      let ref = record.ref ?? freeName(for: record)
      recorder.pending.save(ref, server: record.fields, id: record.id)
      recorder.note(ref, after: nil)
      refs.append(ref)
    }
    try recorder.finish(command: command)
    return (recorder.name, refs)
  }

  /// The limits for kept versions.
  public struct Limits: Sendable, Hashable {
    /// The age at which a run is too old; see ``RunHistory/prune(_:)``.
    public var age: Duration
    /// The maximum size of all runs in bytes.
    public var bytes: Int

    /// Creates limits; the defaults are 30 days and 200 MiB.
    public init(age: Duration = .seconds(30 * 86_400), bytes: Int = 200 << 20) {
      self.age = age
      self.bytes = bytes
    }
  }

  /// Removes runs that are too old and, oldest first, those beyond the size limit, but never the
  /// newest.
  ///
  /// A run's name is what this machine's clock said then, and the clock may have been wrong, or be
  /// wrong now. So one prune finds that a run is too old and notes the time in its file `old`; only
  /// one that comes at least the maximum age later removes it.
  /// - Throws: `FileError`.
  public func prune(_ limits: Limits = Limits()) throws {
    let now = time.now()
    let oldest = now.advanced(by: .zero - limits.age)
    var total = 0
    for (place, run) in try runs().enumerated() {
      total += run.size
      let path = Path.join(folder, run.name)
      guard place > 0 else { continue }
      if total > limits.bytes {
        try FileSystem.removeTree(path)
      } else if let started = run.startedAt, started < oldest {
        let note = Path.join(path, "old")
        let noted = (try? FileSystem.read(note)).flatMap {
          ServerDate(String(decoding: $0, as: UTF8.self))
        }
        if let noted, noted <= now {
          if noted <= oldest { try FileSystem.removeTree(path) }
        } else {
          // Without the note the run stays.
          _ = try? AtomicFile.writePrivate(Array(now.wire.utf8), to: note, isFlushed: false)
        }
      }
    }
  }
}
