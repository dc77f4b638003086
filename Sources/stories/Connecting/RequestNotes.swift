import StoryAPI
import Synchronization

/// Shows what a client does: waits always, requests with `-v`, and their bodies with `-vv`.
///
/// On a terminal, a wait is a line that counts down and disappears at its end; elsewhere it is one line.
final class RequestNotes: Sendable {
  private struct State {
    var waiting = 0
    /// The reason and the end of the longest wait.
    var reason = ""
    var until = Duration.zero
    var counter: Task<Void, Never>?
  }

  private let context: Context
  private let state = Mutex(State())

  init(_ context: Context) { self.context = context }

  deinit { state.withLock { $0.counter?.cancel() } }

  func tell(_ event: RequestEvent) {
    switch event {
    case .finished(let report):
      context.reach.note(report)
      for line in report.description.split(separator: "\n") {
        context.detail(Text(String(line), .faint))
      }
    case .waiting(let notice): wait(notice)
    case .resumed: resume()
    case .alert(let text): context.note("Note: the server says: \(ServerText.shown(text))")
    case .sessionNotStored(let error):
      context.note("Note: the session was renewed, but not kept: \(error.message)")
    }
  }

  private func wait(_ notice: RetryNotice) {
    let reach = Reach(server: notice.server, attempt: notice.attempt, attempts: notice.attempts)
    let reason = notice.error.message(at: notice.server.isEmpty ? nil : reach)
    guard context.errors.isTerminal, !context.global.isQuiet else {
      return context.note("\(reason) \(Self.announcement(notice.wait))")
    }
    state.withLock { state in
      let until = context.uptime() + notice.wait
      if state.waiting == 0 || until > state.until { (state.reason, state.until) = (reason, until) }
      state.waiting += 1
      guard state.counter == nil else { return }
      state.counter = Task { [weak self, time = context.time] in
        while let self, self.draw() {
          do { try await time.sleep(.milliseconds(200)) } catch { return }
        }
      }
    }
  }

  private func resume() {
    let isOver = state.withLock { state in
      state.waiting = max(0, state.waiting - 1)
      guard state.waiting == 0, let counter = state.counter else { return false }
      counter.cancel()
      state.counter = nil
      return true
    }
    if isOver { context.errors.sink.wipe() }
  }

  /// Draws the line, and returns `false` if nothing waits any more.
  private func draw() -> Bool {
    state.withLock { state in
      guard state.waiting > 0 else { return false }
      let left = max(.zero, state.until - context.uptime())
      // The changing part is first, so that a narrow terminal shows it.
      let text: Text = "\(Self.announcement(left)) \(state.reason)"
      let line = context.errors.shown(text).truncated(to: max(context.errors.width - 3, 10))
      context.errors.sink.pass(context.errors.rendered(line))
      return true
    }
  }

  private static func announcement(_ wait: Duration) -> String {
    "Retrying in \(Phrases.span(wait))."
  }
}

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
