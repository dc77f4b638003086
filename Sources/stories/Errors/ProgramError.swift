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

extension ErrorReport {
  init(_ error: ProgramError) {
    switch error {
    case .noEditor:
      self.init(
        "no-editor", "no editor is set, and there is no terminal for one",
        hint: "set one: EDITOR=nano stories …", exitCode: .wrongUsage)
    case .noCron:
      self.init(
        "no-cron", "cron is not installed: there is no program crontab",
        hint: "install cron, or let a sync run on: stories sync --every 15m", exitCode: .failed)
    case .noSuchEditor(let command):
      self.init(
        "no-editor", "the editor “\(command)” was not found",
        hint: "set VISUAL or EDITOR to one that is installed", exitCode: .failed)
    case .failed(let command, let reason):
      self.init("program", "“\(command)” failed", causes: [reason], exitCode: .failed)
    }
  }
}
