/// The reason why a user's program, such as an editor, did not do its work.
enum ProgramError: Error, Sendable, Equatable {
  /// No editor is set, and there is no terminal for the default one.
  case noEditor
  case noCron
  case noSuchEditor(String)
  /// It could not be started, or failed.
  case failed(String, reason: String)

  static func exited(_ command: String, status: Int32) -> ProgramError {
    .failed(command, reason: "it exited with status \(status)")
  }
}

extension ProgramError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .noEditor:
      .misuse(
        "no-editor", "no editor is set, and there is no terminal for one",
        hint: "set one: EDITOR=nano stories …")
    case .noCron:
      .init(
        "no-cron", "cron is not installed: there is no program crontab",
        hint: "install cron, or let a sync run on: stories sync --every 15m")
    case .noSuchEditor(let command):
      .init(
        "no-editor", "the editor “\(command)” was not found",
        hint: "set VISUAL or EDITOR to one that is installed")
    case .failed(let command, let reason): .init("program", "“\(command)” failed", causes: [reason])
    }
  }
}
