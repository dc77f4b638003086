import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
import Synchronization

/// Shows the server's progress: a line with the elapsed time on a terminal, plain lines elsewhere.
final class GenerationDisplay: Sendable {
  struct State {
    fileprivate var phase: String
    fileprivate var pictures: IllustrationProgress?
    var pushed: [RecordRef] = []
    var overridden: [SyncReport.Overridden] = []
    /// The new record, or the one with a new text, once it was written.
    var recorded: RecordRef?
    /// Whether the server was asked to make something.
    var hasAsked = false
    fileprivate var said = ""
  }

  private let context: Context
  private let progress: Progress
  private let start: Duration
  private let server: String
  private let state: Mutex<State>

  init(context: Context, name: String, server: String) {
    self.context = context
    self.server = server
    progress = context.progress()
    start = context.uptime()
    state = Mutex(State(phase: "Waiting for \(name)"))
  }

  /// What has happened so far.
  var seen: State { state.withLock { $0 } }

  /// Shows the steps until the end, and on a terminal the elapsed time while nothing happens.
  ///
  /// - Throws: errors of the generation; `CancellationError` if the task was cancelled.
  func follow(_ generation: Generation) async throws -> GenerationResult {
    try await progress.ticking({ self.line }) {
      for try await step in generation {
        if case .finished(let result) = step { return result }
        show(step)
      }
      throw CancellationError()
    }
  }

  private func show(_ step: GenerationStep) {
    switch step {
    case .pushing(let ref):
      state.withLock { $0.pushed.append(ref) }
      context.note("\(ref) is sent to \(server) first.")
    case .decided(let items):
      state.withLock { $0.overridden += items }
      for item in items {
        context.note("\(item.ref): kept \(SyncText.decision(item, isDryRun: false))")
      }
    case .working: state.withLock { $0.hasAsked = true }
    case .finished: break
    case .lookingUp: context.note("The answer was lost; checking what \(server) created.")
    case .recorded(let ref): state.withLock { $0.recorded = ref }
    case .audio(let audio):
      state.withLock { $0.phase = "Waiting for the narration (\(audio.state.rawValue))" }
    case .pictures(let pictures):
      state.withLock { state in
        state.phase = "Waiting for pictures"
        state.pictures = pictures
      }
      say(pictures)
    }
  }

  /// Writes a plain line for each change if there is no progress line.
  private func say(_ pictures: IllustrationProgress) {
    guard progress.output == nil else { return }
    let text = Self.counts(pictures)
    let isNew = state.withLock { state in
      defer { state.said = text }
      return state.said != text
    }
    if isNew { context.note("Pictures: \(text)") }
  }

  private var line: String {
    let elapsed = context.uptime() - start
    let line = state.withLock { state in
      guard let pictures = state.pictures, pictures.total > 0 else {
        return "\(Self.spinner(elapsed)) \(state.phase)"
      }
      return "\(Self.bar(pictures)) \(Self.counts(pictures))"
    }
    return "\(line), \(elapsed.components.seconds) s"
  }

  private static func spinner(_ elapsed: Duration) -> String {
    let signs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    return signs[Int(elapsed / .milliseconds(120)) % signs.count]
  }

  /// A bar of twenty columns: finished, failed, pending.
  static func bar(_ pictures: IllustrationProgress) -> String {
    let width = 20
    let total = max(pictures.total, 1)
    let done = min(width, width * pictures.completed / total)
    let failed = min(width - done, width * pictures.failed / total)
    return String(repeating: "█", count: done) + String(repeating: "×", count: failed)
      + String(repeating: "░", count: width - done - failed)
  }

  /// `2 of 5 done, 1 failed, 2 to come`.
  static func counts(_ pictures: IllustrationProgress) -> String {
    let left = max(0, pictures.total - pictures.completed - pictures.failed)
    var parts = ["\(pictures.completed) of \(pictures.total) done"]
    if pictures.failed > 0 { parts.append("\(pictures.failed) failed") }
    if left > 0 { parts.append("\(left) to come") }
    return parts.joined(separator: ", ")
  }
}
