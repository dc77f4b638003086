import Synchronization

/// A line on a terminal that says how far some work is, for work that lasts over a second.
///
/// It is written over itself, gives way to whatever else is written, and is removed at the end. Where
/// no person watches it says nothing.
final class Progress: Sendable {
  private struct State {
    var drawnAt: Duration?
  }

  /// How long work goes on without a word.
  static let patience = Duration.seconds(1)
  /// The least time between two drawings.
  static let interval = Duration.milliseconds(100)

  let output: Output?
  private let uptime: @Sendable () -> Duration
  private let start: Duration
  private let state = Mutex(State())

  /// Progress on `output`, by a clock that only goes forward.
  init(_ output: Output?, uptime: @escaping @Sendable () -> Duration) {
    self.output = output
    self.uptime = uptime
    start = uptime()
  }

  /// Says how far the work is: `Reading stories 120 of 400`.
  func update(_ what: String, done: Int? = nil, of total: Int? = nil) {
    guard let output else { return }
    let now = uptime()
    guard now - start >= Self.patience else { return }
    state.withLock { state in
      if let last = state.drawnAt, now - last < Self.interval { return }
      state.drawnAt = now
      var text = Text(what)
      if let done { text += " \(done)" }
      if let done, let total, total >= done { text += " of \(total)" }
      let line = text.truncated(to: max(output.width - 1, 10)).rendered(inColour: false)
      output.sink.pass(line)
    }
  }

  /// Draws what `line` says again and again until the task is cancelled, so that time goes on on the
  /// line while nothing else does; `nil` where nobody watches.
  func startTicking(_ line: @escaping @Sendable () -> String) -> Task<Void, Never>? {
    guard output != nil else { return nil }
    return Task {
      while !Task.isCancelled {
        update(line())
        try? await Task.sleep(for: .milliseconds(120))
      }
    }
  }

  /// Removes the line.
  func finish() {
    state.withLock { $0.drawnAt = nil }
    output?.sink.wipe()
  }
}
