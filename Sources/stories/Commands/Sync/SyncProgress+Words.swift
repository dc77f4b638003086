import StoryLibrary
import StorySync

extension SyncProgress {
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
