import StoryAPI
import Synchronization

/// What a command last saw of a server that cannot be reached: its address, and how often it was
/// tried.
struct Reach: Sendable, Equatable {
  var server: String
  /// The number of the last attempt, from 1.
  var attempt: Int
  /// The number of attempts that a request may have.
  var attempts: Int

  /// `(try 2 of 4)`; empty if there is only one.
  var tries: String { attempts > 1 ? " (try \(attempt) of \(attempts))" : "" }

  /// The last failed request of a command, which its errors are about.
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
