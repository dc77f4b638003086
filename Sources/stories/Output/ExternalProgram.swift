import Foundation
import StoryLibrary

/// A user's program, such as an editor: a shell command line.
///
/// It runs in this program's process group, with its terminal and streams, and alone gets the
/// keyboard's signals while this program waits.
struct ExternalProgram: Sendable {
  var command: String
  /// Arguments to append, each one word whatever it contains.
  var arguments: [String] = []
  /// Variables to add to this process's own.
  var variables: [String: String] = [:]
  /// Whether its standard output is this program's standard error.
  var isOutputOnErrors = false

  /// Runs it and waits for its end.
  ///
  /// - Returns: its exit status, or 128 plus the signal's number if a signal ended it.
  /// - Throws: `ProgramError.failed` if it could not be started.
  func run() throws(ProgramError) -> Int32 { try run(input: nil).status }

  /// Runs it with a text as its input and waits for its end.
  ///
  /// - Parameter input: its standard input; `nil` for this program's own.
  /// - Returns: its exit status, as ``run()`` does, and whether it took all of the input.
  /// - Throws: `ProgramError.failed` if it could not be started.
  func run(input: [UInt8]?) throws(ProgramError) -> (status: Int32, tookInput: Bool) {
    // The shell parses the command line, as in git: EDITOR may have options.
    let line =
      (isOutputOnErrors ? "exec >&2; " : "") + command + (arguments.isEmpty ? "" : " \"$@\"")
    let words = ["/bin/sh", "-c", line, "sh"] + arguments
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    do throws(ChildProcess.Failure) {
      // Without secrets.
      let environment = ChildProcess.inheritedEnvironment.merging(variables) { $1 }
      return try ChildProcess(words, environment: environment).runAttached(input: input)
    } catch {
      guard case .notStarted(_, let code) = error else { throw .failed(command, reason: "") }
      throw .failed(command, reason: String(cString: strerror(code)))
    }
  }

  /// Returns the path of a program in the absolute folders of `PATH`, or `nil` if it is not installed.
  static func path(of name: String, in environment: [String: String]) -> String? {
    ChildProcess.file(of: name, in: environment["PATH"] ?? "")
  }
}
