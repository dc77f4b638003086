import StoryAPI
import Synchronization

/// The address of a server that cannot be reached, and the number of attempts.
struct Reach: Sendable, Equatable {
  var server: String
  /// The number of the last attempt, from 1.
  var attempt: Int
  var attempts: Int

  /// The attempt for messages, such as ` (try 2 of 4)`, or an empty string if there is only one.
  var tries: String { attempts > 1 ? " (try \(attempt) of \(attempts))" : "" }

  /// The last failed request of a command, for its errors.
  final class Memory: Sendable {
    private let last = Mutex<Reach?>(nil)

    var value: Reach? { last.withLock { $0 } }

    /// Notes a request; one with an answer ends an outage.
    func note(_ report: RequestReport) {
      last.withLock { last in
        last =
          report.failure == nil || report.server.isEmpty
          ? nil
          : Reach(server: report.server, attempt: report.attempt, attempts: report.attempts)
      }
    }
  }
}
