import StoryLibrary

/// The user's editor.
struct Editor: Sendable {
  let command: String

  /// Finds the editor: `VISUAL`, else `EDITOR`, else `vi` on a terminal.
  ///
  /// - Throws: `ProgramError.noEditor` if there is none.
  init(_ context: Context) throws(ProgramError) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { context.environment[$0] }.first {
      $0.contains { !$0.isWhitespace }
    }
    guard let command = named ?? (context.isInteractive ? "vi" : nil) else { throw .noEditor }
    self.command = command
  }

  /// Opens a file and waits until the editor is closed.
  ///
  /// - Throws: `ProgramError.failed` if it could not be started or failed.
  func open(_ path: String) throws(ProgramError) {
    let status = try ExternalProgram(command: command, arguments: [path]).run()
    guard status == 0 else {
      throw .failed(command, reason: "it exited with status \(status)")
    }
  }
}

extension Context {
  /// Whether a person can be asked: input and output are a terminal.
  var isInteractive: Bool { input.isTerminal && output.isTerminal && !isJSON }
}
