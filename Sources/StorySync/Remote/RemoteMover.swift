import JSONText
public import StoryAPI
public import StoryLibrary

/// Moves a library to another server: `remote set URL`.
///
/// The old server's ids mean nothing there, so the sidecars are removed (and kept in a run). The
/// next sync adopts records that the new server already has and creates the others.
public struct RemoteMover {
  /// The reason why a library cannot be moved.
  public enum Refusal: Error, Sendable, Hashable {
    /// These records are in conflict with the old server's versions.
    case conflicts([RecordRef])
    /// These records are missing or unreadable, so that only the old server is sure to have them.
    case absent([RecordRef])
    /// Git's sparse checkout leaves out these records, whose sidecars would keep the old ids.
    case notCheckedOut([RecordRef])
    /// There are unconfirmed writes to the old server.
    case openWrites
  }

  /// The library.
  public let library: Library
  private let time: TimeSource

  /// Creates a mover for a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  /// Moves the library.
  ///
  /// If this is interrupted, the library refuses to sync until it is run again.
  /// - Parameters:
  ///   - server: the new server.
  ///   - isDryRun: whether to change nothing.
  ///   - abandonsWrites: whether the old server is gone for good, so that unconfirmed writes to it and
  ///     records that only it has are given up. What the sidecars have of these is kept in the run.
  ///   - willForget: called before ids are removed, with the scan that may have them.
  /// - Returns: the number of sidecars to remove, and the records with something that is given up.
  /// - Throws: what `willForget` throws, `Refusal`, `LibraryError.locked`, `FileError`, `Problem`.
  @discardableResult
  public func move(
    to server: LibraryConfiguration.Server, isDryRun: Bool = false, abandonsWrites: Bool = false,
    willForget: (Scan) throws -> Void = { _ in }
  ) throws -> (sidecars: Int, abandoned: [RecordRef]) {
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let journal = try Journal(library)
    let scanner = Scanner(askingGit: library)
    var scan = try scanner.scan()
    if abandonsWrites, !isDryRun {
      // Changes of files that were cut off are finished as in a sync.
      scan = try Recovery(library: library, journal: journal, scanner: scanner)
        .run(isDryRun: false).scan
    }
    let waiting = scan.entries.filter { $0.conflict != nil }.map(\.ref)
    guard waiting.isEmpty else { throw Refusal.conflicts(waiting) }
    let hidden = scan.refs(.notCheckedOut)
    guard hidden.isEmpty else { throw Refusal.notCheckedOut(hidden) }
    let unreadable = scan.entries.filter { entry in
      entry.state == .unreadable && entry.id != nil
        && entry.problems.contains { $0.severity == .error && $0.file == entry.ref.path }
    }
    let absent = scan.awaited + unreadable.map(\.ref)
    guard absent.isEmpty || abandonsWrites else { throw Refusal.absent(absent.sorted()) }
    guard journal.unfinished.isEmpty || abandonsWrites, journal.unfinishedFiles.isEmpty || isDryRun
    else { throw Refusal.openWrites }
    let abandoned = Set(absent + journal.unconfirmedWrites.map(\.ref)).sorted()
    // References follow moved and renamed records while their ids are known.
    let rewriter = ReferenceRewriter(library: library)
    for follow in isDryRun ? [] : [rewriter.resumeRenames, rewriter.followRenames] {
      if try follow(scan) { scan = try scanner.scan() }
    }
    let known = scan.entries.filter { !$0.namedIDs.isEmpty }
    guard !isDryRun else { return (known.count, abandoned) }
    try willForget(scan)
    let moved = try name(server)
    try PullState.forget(library)
    let run = RunRecorder(library, time)
    var batch = WriteBatch(root: library.root)
    let sidecars = known.map { ($0.ref, $0.place) } + scan.staleSidecars.map { ($0, $0) }
    for (ref, place) in sidecars {
      let bytes = try library.read(place.sidecarPath)
      let kept = absent.contains(ref) ? try? Sidecar(bytes: bytes, ref: place) : nil
      run.pending.save(ref, server: kept?.base, sidecar: bytes)
      batch.add(ref, in: library, sidecar: .remove(ContentDigest(bytes)), at: place)
    }
    try run.flush()
    for result in batch.commit() { _ = try result.isDone() }
    // Records that disappeared with their sidecars belong to the old server.
    Scan().noteSeen(in: library, missing: [])
    // Not before: until the old server's ids are gone, only the journal knows what it was sent.
    try journal.finish(journal.unfinished)
    if run.isStarted { try run.finish(command: "remote set \(server.text)") }
    try forgetOwner(moved)
    return (known.count, abandoned)
  }

  @discardableResult
  private func forgetOwner(_ moved: Library) throws -> Library {
    guard moved.configuration.synced != nil else { return moved }
    return try moved.saving(moved.configuration.setting("synced", to: nil))
  }

  /// Moves a library back to a server that it left, with the sidecars that it had, unless it was synced
  /// elsewhere since. What was edited meanwhile is an edit then. Also completes a move that was cut off, and
  /// keeps the ids if all are that server's, as after git brought its sidecars back.
  ///
  /// - Parameters:
  ///   - server: the server that it left.
  ///   - isDryRun: whether to change nothing.
  ///   - isThere: whether the server has a record with an id.
  /// - Returns: the number of sidecars put back, or `nil` if the ids here are not that server's, if git's
  ///   sparse checkout leaves out records, or if neither the library nor a run has sidecars of that server.
  ///   Then nothing was changed.
  /// - Throws: `Refusal.openWrites` if a sync was cut off, `LibraryError`, `FileError`, `Problem`.
  public func moveBack(
    to server: LibraryConfiguration.Server, isDryRun: Bool = false,
    isThere: (EntityKind, String) -> Bool
  ) throws -> Int? {
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(askingGit: library).scan()
    var here: [EntityKind: Set<String>] = [:]
    for entry in scan.entries { here[entry.ref.kind, default: []].formUnion(entry.namedIDs) }
    let hasIDs = here.values.contains { !$0.isEmpty }
    guard here.allSatisfy({ kind, ids in ids.allSatisfy { isThere(kind, $0) } }),
      scan.refs(.notCheckedOut).isEmpty
    else { return nil }
    var batch = WriteBatch(root: library.root)
    var (count, hasFiles) = (0, false)
    // In a library that has not left, a sidecar that is gone was removed.
    let hasLeft = library.configuration.server != server || !hasIDs
    for sidecar in hasLeft ? try RunHistory(library, time: time).movedSidecars() : []
    where isThere(sidecar.ref.kind, sidecar.id)
      && here[sidecar.ref.kind]?.contains(sidecar.id) != true
      && !FileSystem.exists(library.path(sidecar.place.sidecarPath))
    {
      batch.add(
        sidecar.ref, in: library, sidecar: .write(sidecar.bytes, .absent), at: sidecar.place)
      count += 1
      hasFiles = hasFiles || FileSystem.exists(library.path(sidecar.current.path))
    }
    // If all were deleted on a server that it was synced with meanwhile, they are not to come back.
    let wasEmptied = library.configuration.synced != nil && !hasFiles
    guard hasIDs || count > 0 && !wasEmptied else { return nil }
    if hasLeft, try !Journal(library).unfinished.isEmpty { throw Refusal.openWrites }
    guard !isDryRun else { return count }
    // Before the ids are here, so that they are never taken for another server's.
    if let state = PullState(library), state.identity.server != server.text {
      try PullState.forget(library)
    }
    let free = try forgetOwner(library)
    // A sidecar that comes back without its record says nothing about a delete.
    Scan().noteSeen(in: library, missing: [])
    for result in batch.commit() { _ = try result.isDone() }
    try RemoteMover(free, time: time).name(server)
    return count
  }

  /// Names the server in `library.json` and keeps the ids, which belong to it already.
  ///
  /// - Returns: the library with that setting.
  /// - Throws: `LibraryError.newerVersion`, `FileError`, `Problem`.
  @discardableResult
  public func name(_ server: LibraryConfiguration.Server) throws -> Library {
    try library.checkWritable()
    guard library.configuration.server != server else { return library }
    var next = try library.configuration.setting("server", to: .string(server.text))
    // Which form the old server speaks says nothing about the new one.
    if next.api != .auto { next = try next.setting("api", to: "auto") }
    return try library.saving(next)
  }
}
