import JSONText
public import StoryAPI
public import StoryLibrary

/// Moves a library to another server: `remote set URL`.
///
/// The ids of the old server mean nothing there, so the sidecars go (kept in a run); the next sync
/// adopts records that the new server has already and makes the others.
public struct RemoteMover {
  /// Why a library cannot be moved.
  public enum Refusal: Error, Sendable, Hashable {
    /// These records wait for a decision about the old server's versions.
    case conflicts([RecordRef])
    /// Writes to the old server are without an answer yet.
    case openWrites
  }

  /// The library.
  public let library: Library
  private let time: TimeSource

  /// A mover of a library.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    self.time = time
  }

  /// Moves the library.
  ///
  /// Interrupted anywhere, it leaves a library that refuses to sync until it is run again.
  /// - Parameters:
  ///   - server: the new server.
  ///   - isDryRun: whether only to tell what would be done.
  /// - Returns: the number of sidecars that go.
  /// - Throws: `Refusal`, `LibraryError.locked`, `FileError`, `Problem`.
  @discardableResult
  public func move(
    to server: LibraryConfiguration.Server, isDryRun: Bool = false
  ) throws -> Int {
    try library.checkWritable()
    let lock = try LibraryLock(library)
    defer { withExtendedLifetime(lock) {} }
    let scan = try Scanner(library).scan()
    let waiting = scan.entries.filter { $0.conflict != nil }.map(\.ref)
    guard waiting.isEmpty else { throw Refusal.conflicts(waiting) }
    guard try Journal(library).leftovers.isEmpty else { throw Refusal.openWrites }
    let known = scan.entries.filter { !$0.namedIDs.isEmpty }
    guard !isDryRun else { return known.count }
    let configuration = library.configuration
    var moved = library
    if configuration.server != server {
      moved = try moved.saving(configuration.setting("server", to: .string(server.text)))
    }
    try PullState.forget(library)
    // What went with its sidecar was the old server's.
    Scan().noteSeen(in: library, missing: [])
    let files = LibraryFiles(library: library)
    let run = RunRecorder(library, startedAt: time.now().wire)
    var batch = WriteBatch(root: library.root)
    let sidecars =
      known.map { (ref: $0.ref, path: $0.sidecarPath) }
      + scan.staleSidecars.map { (ref: $0, path: $0.sidecarPath) }
    for (ref, path) in sidecars {
      let bytes = try files.read(path)
      run.save(ref, .server, text: [], sidecar: bytes)
      batch.add(record: nil, sidecar: (library.path(path), .remove(ContentDigest(bytes))))
    }
    try run.flush()
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
    if run.isStarted { try run.finish(command: "remote set \(server.text)") }
    if moved.configuration.synced != nil {
      _ = try moved.saving(moved.configuration.setting("synced", to: nil))
    }
    return known.count
  }
}
