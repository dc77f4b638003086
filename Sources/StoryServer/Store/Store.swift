import StoryLibrary
import Synchronization

/// Accounts, sessions and records, stored in a log on disk and indexed in memory.
///
/// Every change is a line of the log. It is written before anybody sees it and, depending on the
/// durability, flushed before it is acknowledged. One lock guards the memory. It is held for
/// microseconds, never while flushing or hashing a password.
final class Store: Sendable {
  let file: LogFile
  private let folder: Mutex<DataFolder?>
  private let state: Monitor<StoreState>
  private let durability: Durability
  /// The end of what has been flushed, and the failure of a flush.
  private let flushed: Monitor<(end: Int, failure: StoryServerError?)>
  /// Known sort keys, by the offset of the record's version in the log.
  let sortKeys = Monitor<[Int: SortKey]>([:])

  /// Opens the store in a folder, or a temporary one that disappears with the process.
  ///
  /// Cuts off a torn last line, and compacts a log that is mostly out of date.
  ///
  /// - Throws: `StoryServerError` if the folder is in use or unusable, or if the log is damaged or
  ///   has a newer format.
  init(
    folder path: ConfinedPath?, durability: Durability, now: Int64
  ) throws(StoryServerError) {
    let folder = try path.map { (path) throws(StoryServerError) in try DataFolder(path: path) }
    var file = if let folder { try folder.openLog() } else { try LogFile(anonymousIn: "/tmp") }
    let isNew = file.end == 0
    var loaded = try StoreState(reading: file, now: now)
    if let folder {
      if LogCompaction.isWorthwhile(file: file, state: loaded) {
        if (try? LogCompaction.run(file: file, state: loaded, folder: folder)) != nil {
          file = try folder.openLog()
          loaded = try StoreState(reading: file, now: now)
        } else {
          // On a full disk, for example. The old log is complete.
          folder.removeNewLog()
        }
      }
      if isNew && durability == .flush { folder.flushNames() }
    }
    self.file = file
    self.folder = Mutex(folder)
    self.durability = folder == nil ? .write : durability
    flushed = Monitor((end: file.end, failure: nil))
    state = Monitor(loaded)
  }

  /// Refuses further changes and unlocks the folder. Reading still works.
  func close() {
    state.withLock { $0.isClosed = true }
    folder.withLock { $0 = nil }
  }

  func withState<Result: Sendable, Failure: Error>(
    _ body: (inout StoreState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { (state) throws(Failure) -> Result in try body(&state) }
  }

  /// Writes entries to the log and applies them, all or none.
  ///
  /// - Throws: `StoryServerError` if the log cannot be written. In that case nothing has changed.
  func append(
    _ entries: [(entry: LogEntry, data: [UInt8])], to state: inout StoreState
  ) throws(StoryServerError) {
    if state.isClosed { throw .stopped }
    let lines = entries.map { LogLine($0.entry, data: $0.data) }
    let bytes = lines.count == 1 ? lines[0].bytes : Array(lines.map(\.bytes).joined())
    var offset = try file.append(bytes)
    for (line, entry) in zip(lines, entries) {
      let data = line.data.lowerBound + offset..<line.data.upperBound + offset
      _ = state.apply(entry.entry, data: data)
      offset += line.bytes.count
    }
  }

  func append(_ entry: LogEntry, to state: inout StoreState) throws(StoryServerError) {
    try append([(entry, [])], to: &state)
  }

  /// Waits until everything written so far is stored.
  ///
  /// Reads wait too, so that nobody sees a version that a power failure could undo. The first
  /// thread flushes what has been written so far, under the lock. Of the threads that wait for the
  /// lock meanwhile, the next one flushes for all.
  ///
  /// - Throws: The failure of a flush. It is permanent: after a failed flush, nobody can know which
  ///   pages the system dropped, so nothing more is acknowledged.
  func waitUntilStored() throws(StoryServerError) {
    guard durability == .flush else { return }
    let end = file.end
    try flushed.withLock { (flushed) throws(StoryServerError) in
      if let failure = flushed.failure { throw failure }
      guard flushed.end < end else { return }
      let target = file.end
      do throws(StoryServerError) {
        try file.flush()
      } catch {
        flushed.failure = error
        throw error
      }
      flushed.end = target
    }
  }
}
