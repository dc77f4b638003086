import Synchronization

/// A progress line on a terminal for work that takes over a second.
///
/// It is overwritten, is replaced by any other output, and is removed at the end. Without a
/// terminal nothing is written.
final class Progress: Sendable {
  static let patience = Duration.seconds(1)
  static let interval = Duration.milliseconds(100)

  let output: Output?
  private let uptime: @Sendable () -> Duration
  private let start: Duration
  /// The time of the last update, or `nil` if there is no line.
  private let drawnAt = Mutex(Duration?.none)

  /// Creates a progress line with a monotonic clock.
  init(_ output: Output?, uptime: @escaping @Sendable () -> Duration) {
    self.output = output
    self.uptime = uptime
    start = uptime()
  }

  /// Updates the line: `Reading stories 120 of 400`.
  func update(_ what: String, done: Int? = nil, of total: Int? = nil) {
    guard let output else { return }
    let now = uptime()
    guard now - start >= Self.patience else { return }
    drawnAt.withLock { drawnAt in
      if let last = drawnAt, now - last < Self.interval { return }
      drawnAt = now
      var text = Text(what)
      if let done { text += " \(done)" }
      if let done, let total, total >= done { text += " of \(total)" }
      // The sign for what is left out has three columns in ASCII.
      let room = output.width - (output.isASCII ? 3 : 1)
      let line = output.shown(text).truncated(to: max(room, 10))
      output.sink.pass(output.rendered(line))
    }
  }

  /// Updates the line during some work, so that its times advance, and removes it at the end.
  func ticking<Result>(
    _ line: @escaping @Sendable () -> String, during work: () async throws -> Result
  ) async rethrows -> Result {
    let ticker = output.map { _ in
      Task {
        while !Task.isCancelled {
          update(line())
          try? await Task.sleep(for: .milliseconds(120))
        }
      }
    }
    defer {
      ticker?.cancel()
      finish()
    }
    return try await work()
  }

  func finish() {
    drawnAt.withLock { $0 = nil }
    output?.sink.wipe()
  }
}
