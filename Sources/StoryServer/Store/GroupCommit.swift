/// When a change counts as stored.
public enum Durability: Sendable {
  /// Once the file system has flushed it (`fdatasync`): it survives a loss of power.
  case flush
  /// Once the system has it: it survives the end of the process, `kill -9` included.
  case write
}

/// Flushes the log for all threads that wait, with as few calls as possible.
///
/// Whoever comes first flushes what has been written by then; those who come meanwhile wait for
/// the next flush, and one of them does it for all.
final class GroupCommit: Sendable {
  private struct State {
    var written: Int
    var flushed: Int
    var isFlushing = false
    var failure: StoryServerError?
  }

  private enum Step {
    case done
    case failed(StoryServerError)
    case flush(upTo: Int)
  }

  private let file: LogFile
  private let durability: Durability
  private let state: Monitor<State>

  /// - Parameter end: where the log ends; what is there counts as flushed.
  init(file: LogFile, end: Int, durability: Durability) {
    self.file = file
    self.durability = durability
    state = Monitor(State(written: end, flushed: end))
  }

  /// Tells that the log has been written up to an offset.
  func noteWritten(_ end: Int) {
    guard durability == .flush else { return }
    state.withLock { $0.written = max($0.written, end) }
  }

  /// Returns when the log is stored up to an offset.
  ///
  /// - Throws: the failure of a flush. It stays: what the system has dropped after a failed flush
  ///   cannot be known, so nothing is acknowledged any more.
  func wait(upTo end: Int) throws(StoryServerError) {
    guard durability == .flush else { return }
    while true {
      let step = state.wait { state -> Step? in
        if let failure = state.failure { return .failed(failure) }
        if state.flushed >= end { return .done }
        if state.isFlushing { return nil }
        state.isFlushing = true
        return .flush(upTo: state.written)
      }
      switch step {
      case .done, nil: return
      case .failed(let failure): throw failure
      case .flush(let end):
        var failure: StoryServerError?
        do throws(StoryServerError) {
          try file.flush()
        } catch {
          failure = error
        }
        state.change { state in
          state.isFlushing = false
          if let failure {
            state.failure = failure
          } else {
            state.flushed = max(state.flushed, end)
          }
        }
      }
    }
  }
}
