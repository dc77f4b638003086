/// The exit codes. The numbers never change.
enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  /// At least one record or file failed.
  case failed = 1
  /// The command line is invalid or requests something impossible.
  case wrongUsage = 2
  case conflictsLeft = 3
  /// Stopped for safety; nothing more was sent or changed.
  case stopped = 4
  case signInFirst = 5
  case unreachable = 6
  /// Changes are pending; only `status --exit-code` returns this.
  case pending = 10
  /// Interrupted from the keyboard: 128 plus the number of SIGINT.
  case interrupted = 130

  /// The order in which one code takes precedence over another.
  private static let precedence: [ExitCode] = [
    .interrupted, .wrongUsage, .stopped, .signInFirst, .unreachable, .failed, .conflictsLeft,
    .pending, .done,
  ]

  /// Returns the most important of the codes; `done` for none.
  static func worst(_ codes: some Sequence<ExitCode>) -> ExitCode {
    let codes = Set(codes)
    return precedence.first(where: codes.contains) ?? .done
  }
}
