import JSONText
import StoryAPI
public import StoryLibrary
import StoryMerge

extension ConflictResolver {
  /// A record in which git left two versions between conflict markers.
  ///
  /// ``Choice/local`` takes the version above `=======` (git's “ours”), ``Choice/server`` the one
  /// below (“theirs”). Members that only one side changed, or that merge by a field's rule, need no
  /// decision.
  public struct MarkedRecord: Sendable {
    /// The record.
    public var ref: RecordRef
    /// The line of the first marker, from 1.
    public var line: Int
    /// Git's names of the two versions, such as `HEAD` and a branch; empty if there are none.
    public var labels = (local: "", server: "")
    /// The merged versions, or the problem of one that is not valid on its own.
    let merge: Result<MarkedMerge, Problem>

    /// Whether the common ancestor is known. Without it, every difference needs a decision.
    public var hasBase: Bool { (try? merge.get())?.hasBase ?? false }

    /// The members to decide, with values as a file has them: long text as one string, references
    /// as names.
    public var fields: [FieldVersions] { (try? merge.get())?.fields ?? [] }

    /// Whether the versions are two records, one of which can only be chosen as a whole.
    public var isTwoRecords: Bool { (try? merge.get())?.records != nil }

    /// The problem of a version that is not valid on its own, or `nil`.
    public var problem: Problem? { if case .failure(let problem) = merge { problem } else { nil } }
  }

  /// Returns those of some records that have git's conflict markers, or some of a conflict's markers.
  public func markedRecords(in entries: [ScanEntry]) -> [MarkedRecord] {
    var records: [MarkedRecord] = []
    var marked: [MarkedMerge.Marked] = []
    for entry in entries where Self.mayBeMarked(entry) {
      guard let bytes = try? library.read(entry.ref.path) else { continue }
      if let versions = MarkedVersions(bytes) {
        marked.append((entry.ref, bytes, versions))
      } else if let problem = Self.markers(entry, in: bytes) {
        records.append(
          MarkedRecord(
            ref: entry.ref, line: problem.position?.line ?? 1, merge: .failure(problem)))
      }
    }
    let origins = origins(of: marked)
    return records
      + marked.map { item in
        MarkedRecord(
          ref: item.ref, line: item.versions.line,
          labels: (item.versions.ours.label, item.versions.theirs.label),
          merge: Result { () throws(Problem) in try MarkedMerge(item, origins[item.ref]) })
      }
  }

  /// A record whose id another one has too can have markers as well.
  private static func mayBeMarked(_ entry: ScanEntry) -> Bool {
    entry.state == .unreadable
      || entry.problems.contains { $0.code == .conflictMarkers && $0.file == entry.ref.path }
  }

  /// Returns the problem of a file's markers, which an entry does not have if its sidecar cannot be
  /// read either.
  private static func markers(_ entry: ScanEntry, in bytes: [UInt8]) -> Problem? {
    do throws(Problem) {
      _ = try RecordFile(ref: entry.ref, bytes: bytes)
      return nil
    } catch {
      return error.code == .conflictMarkers ? error : nil
    }
  }

  private func origins(of marked: [MarkedMerge.Marked]) -> [RecordRef: MarkedMerge.Origin] {
    guard !marked.isEmpty, let repository = GitRepository(library) else { return [:] }
    let known = repository.versionsInMerge(of: marked.map(\.ref.path))
    var texts: [RecordRef: (ours: [UInt8], theirs: [UInt8])] = [:]
    for item in marked {
      // After `git add`, only the markers tell.
      let (known, versions) = (known[item.ref.path], item.versions)
      texts[item.ref] = (known?[2] ?? versions.ours.bytes, known?[3] ?? versions.theirs.bytes)
    }
    let records = repository.twoRecords(texts)
    return marked.reduce(into: [:]) { origins, item in
      origins[item.ref] = (known[item.ref.path]?[1], records[item.ref])
    }
  }

  /// Settles members of a record with git's conflict markers. Those that are left stay between
  /// markers, and everything else is merged. Of two records, one is taken as a whole.
  ///
  /// - Returns: The keys of the members that are left, or `nil` if the file has no markers.
  func settleMarked(
    _ entry: ScanEntry, _ decision: Decision, in scan: Scan, _ run: RunRecorder, isDryRun: Bool
  ) throws -> [String]? {
    guard let merge = try markedRecords(in: [entry]).first?.merge.get() else { return nil }
    let ref = entry.ref
    if let text = decision.text, text.replaced != ContentDigest(merge.bytes) {
      throw EditError.changedMeanwhile(ref)
    }
    for field in merge.fields {
      if let seen = decision.seen?.first(where: { $0.field == field.field }),
        seen.local != field.local || seen.server != field.server
      {
        throw EditError.changedMeanwhile(ref)
      }
    }
    let merged = try merge.outcome(decision.field)
    var (text, left) =
      decision.text.map { ($0.bytes, [String]()) } ?? (merged.bytes, merged.conflicts)
    if let records = merge.records {
      guard decision.text == nil, left.isEmpty, let choice = decision.whole,
        choice == .local || choice == .server
      else { throw EditError.twoIDs(ref) }
      let side = choice == .local ? records.ours : records.theirs
      // The other record's sidecar would send the text to that one.
      guard side.id.map(entry.namedIDs.contains) ?? entry.namedIDs.isEmpty else {
        let home = side.id.flatMap { scan.entry(id: $0, of: ref.kind) }
        throw EditError.otherRecord(ref, home: home?.ref, isLocal: choice == .local)
      }
      text = side.text
    }
    guard text != merge.bytes, !isDryRun else { return left }
    let path = library.path(ref.path)
    // If the sidecar has markers too, the choice settles both, and an undo needs both.
    run.pending.save(
      ref, local: merge.bytes,
      sidecar: entry.state == .unreadable ? try? library.read(entry.sidecarPath) : nil,
      mode: try FileSystem.status(path)?.mode)
    run.note(ref, after: ContentDigest(text))
    try run.flush()
    let outcome = try AtomicFile.write(
      text, to: path, expecting: .content(ContentDigest(merge.bytes)))
    guard outcome == .done else { throw EditError.changedMeanwhile(ref) }
    try run.finish(command: "resolve \(ref)")
    return left
  }

  /// A record whose sidecar has git's conflict markers and two ids: only a person knows which of
  /// the server's records it is.
  public struct SplitSidecar: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The sidecar's file, relative to the library's root.
    public var path: String
    /// The side of the branch that was checked out; ``Choice/local`` takes it.
    public var ours: Sidecar
    /// The side of the branch that was merged in; ``Choice/server`` takes it.
    public var theirs: Sidecar
  }

  /// Returns the sidecars for which a person has to choose the server's record.
  public func splitSidecars(in scan: Scan) -> [SplitSidecar] {
    scan.brokenSidecars.compactMap { entry in
      guard let bytes = try? library.read(entry.sidecarPath),
        let sides = SidecarSides(bytes, ref: entry.ref), sides.merged == nil
      else { return nil }
      return SplitSidecar(
        ref: entry.ref, path: entry.sidecarPath, ours: sides.ours, theirs: sides.theirs)
    }
  }
}

/// A merge of the versions that git left in a record's file.
struct MarkedMerge: Sendable {
  /// A record's file with git's conflict markers.
  typealias Marked = (ref: RecordRef, bytes: [UInt8], versions: MarkedVersions)
  /// The common ancestor by git's index, or `nil` to use that of the markers; and the records of both
  /// sides if they are two, which have no common ancestor.
  typealias Origin = (ancestor: [UInt8]?, records: MergedCommits?)

  let bytes: [UInt8]
  let hasBase: Bool
  /// The id and the text of each side's record if they are two.
  let records: (ours: (id: String?, text: [UInt8]), theirs: (id: String?, text: [UInt8]))?
  private let merge: RecordFileMerge

  /// Parses the versions.
  ///
  /// - Parameter origin: What git has of the record, or `nil`.
  /// - Throws: `Problem` if a version cannot be read by itself, at its line in the file.
  init(_ marked: Marked, _ origin: Origin?) throws(Problem) {
    let (ref, versions, records) = (marked.ref, marked.versions, origin?.records)
    for version in [versions.ours, versions.theirs] { try Self.check(version, ref) }
    var marks = MarkedText(size: MarkedText.usualSize)
    let (ours, base, theirs) = (versions.ours, versions.base, versions.theirs)
    marks.names = (ours.label, base?.label ?? "", theirs.label)
    marks.showsBase = base != nil
    let texts = records?.texts ?? (ours: ours.bytes, theirs: theirs.bytes)
    func merge(_ base: [UInt8]) -> RecordFileMerge? {
      RecordFileMerge(ref.kind, base: base, ours: texts.ours, theirs: texts.theirs, marks: marks)
    }
    let bases = records == nil ? [origin?.ancestor, base?.bytes] : []
    let known = bases.compactMap { $0 }.lazy.filter { !$0.isEmpty }.compactMap(merge).first
    guard let merge = known ?? merge([]) else {
      throw Problem(.noMarkedVersion, file: ref.path)
    }
    self.bytes = marked.bytes
    self.merge = merge
    self.records = records.map {
      (($0.ours.id, $0.texts.ours), ($0.theirs.id, $0.texts.theirs))
    }
    hasBase = known != nil
  }

  private static func check(_ version: MarkedVersions.Version, _ ref: RecordRef) throws(Problem) {
    do throws(Problem) {
      _ = try RecordFile(ref: ref, bytes: version.bytes)
    } catch {
      var problem = error
      let line = problem.position.map { version.markedLine($0.line) }
      problem.position = line.map { TextPosition(line: $0, column: problem.position?.column ?? 1) }
      problem.what = .markedVersion(label: version.label, problem.what)
      problem.fix = nil
      throw problem
    }
  }

  var fields: [FieldVersions] { merge.clashes }

  /// Returns the file with some members decided.
  ///
  /// - Parameter choice: Returns who wins a member, by its key.
  func outcome(
    _ choice: (String) -> ConflictResolver.Choice?
  ) throws(JSONEditError) -> RecordFileMerge.Outcome {
    let wireKeys = Dictionary(
      fields.map { ($0.field.key, $0.field.wireKey) }, uniquingKeysWith: { first, _ in first })
    return try merge.outcome { key in
      switch choice(key) {
      case .local: .ours
      case .server: .theirs
      case .values(let values): values[wireKeys[key] ?? key].map { .value($0) }
      case .merge, nil: nil
      }
    }
  }

  func base() throws(JSONEditError) -> [UInt8] { try merge.outcome { _ in .base }.bytes }
}
