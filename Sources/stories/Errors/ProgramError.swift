/// Why a program that a person named did not do its work.
enum ProgramError: Error, Sendable, Equatable {
  /// No editor is named, and there is no terminal for the usual one.
  case noEditor
  /// It could not be started, or ended badly.
  case failed(String, reason: String)
}

extension ErrorReport {
  /// A program that a person named and that did not do its work.
  init(_ error: ProgramError) {
    switch error {
    case .noEditor:
      self.init(
        "no-editor", "no editor is set, and there is no terminal for one",
        hint: "set one: EDITOR=nano stories …", exitCode: .wrongUsage)
    case .failed(let command, let reason):
      self.init("program", "“\(command)” failed", causes: [reason], exitCode: .failed)
    }
  }
}
