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
    let sync: SyncReport?
    let failure: ErrorReport?
    switch round.outcome {
    case .success(let report): (sync, failure) = (report, nil)
    case .failure(let error): (sync, failure) = (nil, ErrorReport(error, in: context))
    }
    let code = failure?.exitCode ?? sync?.exitCode ?? .done
    if context.isJSON {
      let report: Members = [
        "schema": "stories.sync-round/1", "startedAt": round.startedAt, "exitCode": code.rawValue,
        "nextWithinSeconds": (round.pause + .nanoseconds(999_999_999)).wholeSeconds,
        "sync": sync?.document(in: context), "error": failure,
      ]
      context.output.jsonLine(report)
    } else if !context.global.isQuiet || code != .done || sync?.isQuiet != true {
      let time = Text(Self.clock(round.startedAt), .faint)
      let summary = failure.map(Self.sentence) ?? sync.map { text($0, round.duration).line } ?? ""
      context.output.line(time + "  " + summary + Self.next(round, code))
    }
    context.output.sink.flush()
    if let sync { writeNewFailures(sync, round) }
    state.withLock { $0.code = code }
  }

  private static func sentence(_ failure: ErrorReport) -> Text {
    let message = failure.message.prefix(1).uppercased() + failure.message.dropFirst()
    return Text(message + (message.hasSuffix(".") ? "" : "."), .error)
  }

  private static func next(_ round: PeriodicSync.Round, _ code: ExitCode) -> Text {
    let wait = Phrases.span(round.pause)
    if round.isOutage {
      return Text(" Next round when the server answers, at most in \(wait).", .faint)
    }
    return code == .done ? "" : Text(" Next round in \(wait).", .faint)
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
}
