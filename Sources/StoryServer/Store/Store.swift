import StoryLibrary
import Synchronization

/// Accounts, sessions and records: in the log on disk, with their whereabouts in memory.
///
/// Every change is one line of the log, written before anything else sees it and, as durability
/// asks, flushed before it is acknowledged. One lock guards the memory; it is held for microseconds,
/// never during a flush or the hashing of a password.
final class Store: Sendable {
  let file: LogFile
  private let folder: Mutex<DataFolder?>
  private let state: Monitor<StoreState>
  private let commit: GroupCommit
  let sortKeys = SortKeys()

  /// Opens the store of a folder, or one that is gone with the process.
  ///
  /// A torn last line is cut off, a log that is mostly out of date is compacted.
  ///
  /// - Throws: `StoryServerError`: the folder is in use or cannot be used, the log is damaged or
  ///   too new.
  init(
    folder path: ConfinedPath?, durability: Durability, now: Int64
  ) throws(StoryServerError) {
    if let path {
      let folder = try DataFolder(path: path)
      var file = try folder.openLog()
      let isNew = file.end == 0
      var loaded = try StoreState(reading: file, now: now)
      if LogCompaction.isWorthwhile(file: file, state: loaded) {
        try LogCompaction.run(file: file, state: loaded, folder: folder)
        file = try folder.openLog()
        loaded = try StoreState(reading: file, now: now)
      }
      if isNew && durability == .flush { folder.flushNames() }
      self.file = file
      self.folder = Mutex(folder)
      commit = GroupCommit(file: file, end: loaded.end, durability: durability)
      state = Monitor(loaded)
    } else {
      file = try LogFile(anonymousIn: "/tmp")
      folder = Mutex(nil)
      let loaded = try StoreState(reading: file, now: now)
      commit = GroupCommit(file: file, end: loaded.end, durability: .write)
      state = Monitor(loaded)
    }
  }

  /// Refuses further changes and lets another server have the folder; reading goes on.
  func close() {
    state.withLock { if $0.failure == nil { $0.failure = .stopped } }
    folder.withLock { $0 = nil }
  }

  /// Runs `body` alone with the memory.
  func withState<Result: Sendable, Failure: Error>(
    _ body: (inout StoreState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { (state) throws(Failure) -> Result in try body(&state) }
  }

  /// Writes lines to the log and takes their entries in, all or none.
  ///
  /// - Throws: `StoryServerError` where the log cannot be written; nothing has changed then.
  func append(
    _ entries: [(entry: LogEntry, data: [UInt8])], to state: inout StoreState,
    of account: Int? = nil
  ) throws(StoryServerError) {
    if let failure = state.failure { throw failure }
    let lines = entries.map { LogLine($0.entry, data: $0.data) }
    let bytes = lines.count == 1 ? lines[0].bytes : Array(lines.map(\.bytes).joined())
    var offset = try file.append(bytes)
    for (line, entry) in zip(lines, entries) {
      let data = LogRange(offset: offset + line.data.lowerBound, length: line.data.count)
      _ = state.apply(entry.entry, data: data)
      offset += line.bytes.count
    }
    state.end = offset
    if let account { state[account].written = offset }
    commit.noteWritten(offset)
  }

  /// As ``append(_:to:of:)`` for one line without data.
  func append(
    _ entry: LogEntry, to state: inout StoreState, of account: Int? = nil
  ) throws(StoryServerError) {
    try append([(entry, [])], to: &state, of: account)
  }

  /// Writes lines whose entries the caller takes in by itself.
  ///
  /// - Returns: where they start.
  func appendUnapplied(
    _ bytes: [UInt8], to state: inout StoreState
  ) throws(StoryServerError) -> Int {
    if let failure = state.failure { throw failure }
    let start = try file.append(bytes)
    state.end = start + bytes.count
    commit.noteWritten(state.end)
    return start
  }

  /// Returns when all that an account's answers show is stored.
  ///
  /// Reads wait as well: nobody is shown a version that a loss of power could take back.
  func waitUntilStored(_ account: Int) throws(StoryServerError) {
    let written = withState { $0[account].written }
    try commit.wait(upTo: written)
  }

  /// Returns when everything written so far is stored.
  func waitUntilStored() throws(StoryServerError) {
    let end = withState { $0.end }
    try commit.wait(upTo: end)
  }
}
