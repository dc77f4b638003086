/// How a command ended, for whoever started the program. The numbers are frozen.
enum ExitCode: Int32, Sendable, CaseIterable {
  /// Everything was done.
  case done = 0
  /// At least one record, or one file, failed.
  case failed = 1
  /// The command line asks for something that cannot be.
  case wrongUsage = 2
  /// Conflicts are left for a person.
  case conflictsLeft = 3
  /// Stopped for safety; nothing was sent or changed.
  case stopped = 4
  /// Sign in first.
  case signInFirst = 5
  /// The server was not reached.
  case unreachable = 6
  /// Something is pending; only `status --exit-code` says so.
  case pending = 10
  /// Interrupted from the keyboard: 128 and the number of SIGINT.
  case interrupted = 130

  /// The order in which one code hides another where several hold.
  private static let precedence: [ExitCode] = [
    .interrupted, .wrongUsage, .stopped, .signInFirst, .unreachable, .failed, .conflictsLeft,
    .pending, .done,
  ]

  /// The code that tells the most of those that hold; `done` where none does.
  static func worst(_ codes: some Sequence<ExitCode>) -> ExitCode {
    let codes = Set(codes)
    return precedence.first(where: codes.contains) ?? .done
  }
}
