/// The point at which a change counts as stored.
public enum Durability: Sendable {
  /// After a flush (`fdatasync`): the change survives a power failure.
  case flush
  /// After the write: the change survives the end of the process, including `kill -9`.
  case write
}

/// Flushes the log for all waiting threads with as few calls as possible.
///
/// The first thread flushes what has been written so far. Threads that arrive in the meantime wait
/// for the next flush, which one of them does for all.
final class GroupCommit: Sendable {
  private struct State {
    var flushed: Int
    var isFlushing = false
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

  /// Waits until the log is stored up to an offset.
  ///
  /// - Throws: The failure of a flush. It is permanent: after a failed flush, nobody can know which
  ///   pages the system dropped, so nothing more is acknowledged.
  func wait(upTo end: Int) throws(StoryServerError) {
    guard durability == .flush else { return }
    while true {
      // The offset to flush up to, or `nil` if everything up to `end` is stored.
      let step = state.wait { state -> Result<Int?, StoryServerError>? in
        if let failure = state.failure { return .failure(failure) }
        if state.flushed >= end { return .success(nil) }
        if state.isFlushing { return nil }
        state.isFlushing = true
        return .success(file.end)
      }
      guard let target = try step?.get() else { return }
      let flush = Result { () throws(StoryServerError) in try file.flush() }
      state.change { state in
        state.isFlushing = false
        switch flush {
        case .success: state.flushed = max(state.flushed, target)
        case .failure(let failure): state.failure = failure
        }
      }
    }
  }
}
