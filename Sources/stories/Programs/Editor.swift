import StoryLibrary

/// The editor of the person who runs the program.
struct Editor: Sendable {
  /// Its command line.
  let command: String

  /// The editor that the environment names: `VISUAL`, else `EDITOR`, else `vi` where there is a
  /// terminal for it.
  ///
  /// - Throws: `ProgramError.noEditor` where there is neither.
  init(_ context: Context) throws(ProgramError) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { context.environment[$0] }.first {
      $0.contains { !$0.isWhitespace }
    }
    guard let command = named ?? (context.isInteractive ? "vi" : nil) else { throw .noEditor }
    self.command = command
  }

  /// Opens a file and waits until the editor is closed.
  ///
  /// - Throws: `ProgramError.programFailed` where it could not be started or did not end well.
  func open(_ path: String) throws(ProgramError) {
    let status = try ExternalProgram(command: command, arguments: [path]).run()
    guard status == 0 else {
      throw .failed(command, reason: "it exited with status \(status)")
    }
  }
}

extension Context {
  /// Whether a person can be asked: both what is typed and what is shown go through a terminal.
  var isInteractive: Bool { input.isTerminal && output.isTerminal && !isJSON }
}
