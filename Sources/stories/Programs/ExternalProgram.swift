import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A user's program, such as an editor: a shell command line.
///
/// It runs in this program's process group, with its terminal and streams, and alone gets the
/// keyboard's signals while this program waits.
struct ExternalProgram: Sendable {
  var command: String
  /// Arguments to append, each one word whatever it contains.
  var arguments: [String] = []
  /// Variables to add to this process's own.
  var variables: [(name: String, value: String)] = []

  /// Runs it and waits for its end.
  ///
  /// - Returns: its exit status, or 128 plus the signal's number if a signal ended it.
  /// - Throws: `ProgramError.failed` if it could not be started.
  func run() throws(ProgramError) -> Int32 {
    // The shell parses the command line, as in git: EDITOR may have options.
    let line = arguments.isEmpty ? command : command + " \"$@\""
    let words = ["/bin/sh", "-c", line, "sh"] + arguments
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    do throws(ChildProcess.Failure) {
      return try ChildProcess(words, environment: environment).runAttached()
    } catch {
      guard case .notStarted(_, let code) = error else { throw .failed(command, reason: "") }
      throw .failed(command, reason: String(cString: strerror(code)))
    }
  }

  /// This process's variables, but for secrets, with the program's own.
  private var environment: [String: String] {
    var values = ChildProcess.inheritedEnvironment
    for (name, value) in variables { values[name] = value }
    return values
  }
}
