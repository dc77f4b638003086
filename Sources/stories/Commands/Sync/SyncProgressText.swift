import StoryLibrary
import StorySync

/// Shows the progress of a sync.
struct SyncProgressText: Sendable {
  let context: Context
  let progress: Progress

  func update(_ step: SyncProgress) {
    switch step {
    case .waiting(let holder):
      progress.finish()
      context.note("Waiting for another sync of this library: \(holder)")
    case .scanning: progress.update("Reading records")
    case .listing(let kind, let seen, let total):
      progress.update("Reading the server's \(kind.rawValue)", done: seen, of: total)
    case .writing(let done, let total): progress.update("Writing files", done: done, of: total)
    case .sending(let done, let total): progress.update("Sending", done: done, of: total)
    }
  }
}
