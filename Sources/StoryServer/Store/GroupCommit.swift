/// The point at which a change counts as stored.
public enum Durability: Sendable {
  /// After a flush (`fdatasync`): the change survives a power failure.
  case flush
  /// After the write: the change survives the end of the process, including `kill -9`.
  case write
}

/// Flushes the log for all waiting threads with as few calls as possible.
///
/// The first thread flushes what has been written so far, under the lock. Of the threads that wait
/// for the lock meanwhile, the next one flushes for all.
final class GroupCommit: Sendable {
  private struct State {
    var flushed: Int
    var failure: StoryServerError?
  }

  private let file: LogFile
  private let durability: Durability
  private let state: Monitor<State>

  /// Creates a group commit for a log, whose content so far counts as flushed.
  init(file: LogFile, durability: Durability) {
    self.file = file
    self.durability = durability
    state = Monitor(State(flushed: file.end))
  }

  /// Waits until what has been written to the log so far is stored.
  ///
  /// - Throws: The failure of a flush. It is permanent: after a failed flush, nobody can know which
  ///   pages the system dropped, so nothing more is acknowledged.
  func wait() throws(StoryServerError) {
    guard durability == .flush else { return }
    let end = file.end
    try state.withLock { (state) throws(StoryServerError) in
      if let failure = state.failure { throw failure }
      guard state.flushed < end else { return }
      let target = file.end
      do throws(StoryServerError) {
        try file.flush()
      } catch {
        state.failure = error
        throw error
      }
      state.flushed = target
    }
  }
}
