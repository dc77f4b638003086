import StoryLibrary
import StorySync

/// Shows the progress of a sync.
struct SyncProgressText: Sendable {
  let context: Context
  let progress: Progress

  func update(_ step: SyncProgress) {
    if case .waiting = step {
      progress.finish()
      return context.note(Text(step.words))
    }
    progress.update(step.words, done: step.count?.done, of: step.count?.total)
  }
}

extension SyncProgress {
  /// The current stage of the sync.
  var words: String {
    switch self {
    case .waiting(let holder): "Waiting for another sync of this library: \(holder)"
    case .scanning: "Reading records"
    case .listing(let kind, _, _): "Reading the server's \(kind.rawValue)"
    case .writing: "Writing files"
    case .sending: "Sending"
    }
  }

  /// The progress within the stage, or `nil` if unknown.
  var count: (done: Int, total: Int)? {
    switch self {
    case .waiting, .scanning: nil
    case .listing(_, let done, let total), .writing(let done, let total),
      .sending(let done, let total):
      (done, total)
    }
  }
}
