import JSONText
public import StoryAPI
public import StoryLibrary

/// Renames and removes records, with their sidecars and references: `mv` and `rm`.
///
/// It takes the library's lock for each change. Nothing is sent; the next sync does that.
public struct LibraryEditor {
  /// The library.
  public let library: Library
  let time: TimeSource

  /// Creates an editor for a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  /// Renames a record with its sidecar, the references to it and a story's illustrations. The
  /// server is not told, because names exist only in the library.
  ///
  /// The record is renamed first, then the references are rewritten, and its sidecar comes last. If
  /// this is interrupted, the next scan treats the record as renamed by hand, and the next sync
  /// finishes. A record whose sidecar still has a former name gets it first: references may have
  /// either name, and a scan knows only the one before the sidecar follows.
  /// - Parameters:
  ///   - old: the record.
  ///   - new: its new name, of the same kind; missing folders are created.
  ///   - isDryRun: whether to change nothing.
  ///   - command: the command of a run that `undo` can take back, or `nil` for none.
  /// - Returns: the records whose reference was, or would be, rewritten.
  /// - Throws: `EditError` (`readOnly`, `noSuchRecord`, `removed`, `exists`, `otherKind`, `isOpen` for
  ///   the record or a referrer), `LibraryError` (`locked`, `newerVersion`), `Problem` for an
  ///   invalid name or one that two files share, `FileError`.
  @discardableResult
  public func move(
    _ old: RecordRef, to new: RecordRef, isDryRun: Bool = false, asRun command: String? = nil
  ) throws -> [RecordRef] {
    guard !old.kind.schema.isReadOnly else { throw EditError.readOnly(old) }
    guard old.kind == new.kind else { throw EditError.otherKind(old, new.kind) }
    if let problem = library.nameProblem(of: new) { throw problem }
    let lock = try Recovery.lock(library, isDryRun: isDryRun).lock
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(askingGit: library).scan()
    guard let entry = scan.entry(old), entry.hasRecord || entry.state == .unreadable else {
      throw EditError.noSuchRecord(old, in: scan)
    }
    try entry.checkNameIsUnique()
    // A sidecar without its record takes its name too: the server has yet to learn of the delete.
    let key = Slug.collisionKey(new.name)
    let isKnown = scan.entries.contains {
      $0.ref.kind == new.kind && $0.ref != old && Slug.collisionKey($0.ref.name) == key
    }
    let (source, target) = (library.path(old.path), library.path(new.path))
    // On a case-insensitive file system, the target of a case-only rename is the same file.
    let isTaken = FileSystem.exists(target) && (try? FileSystem.isOneFile(source, target)) != true
    guard !isKnown, !scan.isStale(new), !isTaken else {
      throw EditError.exists(new)
    }
    let rewriter = ReferenceRewriter(library: library)
    let names = Set([old, entry.formerName].compactMap(\.self))
    let referrers = Set(rewriter.referrers(of: names, scan).values.joined()).sorted()
    let open = OpenRecords(library)
    defer { withExtendedLifetime(open) {} }
    try open.check([old, new] + referrers)
    guard !isDryRun else { return referrers }
    // A sidecar may remember a name that its file no longer has.
    let rememberers =
      ReferenceTable.kinds.contains(old.kind) ? rewriter.rememberers(of: names, scan) : [:]
    let concerned = Set(referrers).union(rememberers.values.joined()).sorted()
    var place = entry.place
    if let former = entry.formerName {
      try rewriter.rewrite(concerned, from: former, to: old)
      try moveSidecar(of: former, to: old)
      library.removeEmptyFolders(of: former)
      place = old
    }
    try FileSystem.makeFolder(Path.parent(target))
    if try FileSystem.isOneFile(source, target) {
      // Only the case of its name changes.
      try FileSystem.rename(source, to: target)
    } else {
      try FileSystem.renameIfAbsent(source, to: target)
    }
    try rewriter.rewrite(concerned, from: old, to: new)
    if FileSystem.exists(library.path(place.sidecarPath)) { try moveSidecar(of: place, to: new) }
    for folder in Set([Path.parent(source), Path.parent(target)]) {
      try FileSystem.flushFolder(folder)
    }
    library.removeEmptyFolders(of: old)
    if old.kind == .stories, let id = entry.id,
      FileSystem.exists(library.path(EntityKind.illustrations.folder))
    {
      var pictures = try IllustrationRecords(library)
      try pictures.follow([id: new])
    }
    if let command {
      try RunRecorder(library, time)
        .finish(command: command, moved: [(old, new)])
    }
    return referrers
  }

  private func moveSidecar(of old: RecordRef, to new: RecordRef) throws {
    try FileSystem.makeFolder(Path.parent(library.path(new.sidecarPath)))
    try FileSystem.rename(library.path(old.sidecarPath), to: library.path(new.sidecarPath))
  }
}
