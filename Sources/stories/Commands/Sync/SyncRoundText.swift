import JSONText
import StoryAPI
import StorySync
import Synchronization

/// Reports the rounds of a periodic sync: one line or one JSON document each.
final class SyncRoundText: Sendable {
  private let context: Context
  private let text: @Sendable (SyncReport, Duration) -> SyncText
  private let state = Mutex((code: ExitCode.done, failed: [String]()))

  /// - Parameter text: returns the report of a round for people.
  init(_ context: Context, text: @escaping @Sendable (SyncReport, Duration) -> SyncText) {
    self.context = context
    self.text = text
  }

  var exitCode: ExitCode { state.withLock { $0.code } }

  func tell(_ round: PeriodicSync.Round) {
    let code = exitCode(of: round)
    let sync = try? round.outcome.get()
    if context.isJSON {
      context.output.jsonLine(report(round, code))
    } else if !context.global.isQuiet || code != .done || sync?.isQuiet != true {
      let time = Text(Self.clock(round.startedAt), .faint)
      context.output.line(time + "  " + summary(of: round) + next(round))
    }
    context.output.sink.flush()
    if let sync { writeNewFailures(sync, round) }
    state.withLock { $0.code = code }
  }

  private func exitCode(of round: PeriodicSync.Round) -> ExitCode {
    switch round.outcome {
    case .success(let report): report.exitCode
    case .failure(let error): ErrorReport(error, in: context).exitCode
    }
  }

  // MARK: Text

  private func summary(of round: PeriodicSync.Round) -> Text {
    switch round.outcome {
    case .success(let report): return text(report, round.duration).line
    case .failure(let error):
      let report = ErrorReport(error, in: context)
      let message = report.message.prefix(1).uppercased() + report.message.dropFirst()
      return Text(message + (message.hasSuffix(".") ? "" : "."), .error)
    }
  }

  private func next(_ round: PeriodicSync.Round) -> Text {
    let wait = Phrases.span(round.pause)
    if round.isOutage {
      return Text(" Next round when the server answers, at most in \(wait).", .faint)
    }
    return exitCode(of: round) == .done ? "" : Text(" Next round in \(wait).", .faint)
  }

  /// Reports failures of single records once, not in each round.
  private func writeNewFailures(_ report: SyncReport, _ round: PeriodicSync.Round) {
    let failed = report.failed.map { "\($0.ref): \($0.message)" }
    let isNew = state.withLock { state in
      defer { state.failed = failed }
      return state.failed != failed
    }
    guard isNew, !failed.isEmpty else { return }
    var shown = SyncReport()
    shown.failed = report.failed
    text(shown, round.duration).writeFailures(context)
  }

  /// Returns the time to the second: `2026-11-20T10:00:00Z`.
  private static func clock(_ date: ServerDate) -> String {
    ServerDate(seconds: date.seconds).wire.replacing(".000Z", with: "Z")
  }

  // MARK: JSON

  private func report(_ round: PeriodicSync.Round, _ code: ExitCode) -> Members {
    var error: ErrorReport?
    if case .failure(let cause) = round.outcome { error = ErrorReport(cause, in: context) }
    return [
      "schema": "stories.sync-round/1", "startedAt": round.startedAt, "exitCode": code.rawValue,
      "nextWithinSeconds": (round.pause + .nanoseconds(999_999_999)).wholeSeconds,
      "sync": (try? round.outcome.get())?.document(in: context), "error": error,
    ]
  }
}
