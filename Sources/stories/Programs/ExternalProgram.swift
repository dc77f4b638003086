import Foundation
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
    let words = ["sh", "-c", line, "sh"] + arguments
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    var process = pid_t()
    let code = withCStrings(words) { words in
      withCStrings(environment) { environment in spawn(&process, words, environment) }
    }
    guard code == 0 else {
      throw .failed(command, reason: String(cString: strerror(code)))
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else {
        throw .failed(command, reason: String(cString: strerror(errno)))
      }
    }
    let signalNumber = status & 0x7F
    return signalNumber == 0 ? status >> 8 & 0xFF : 128 + signalNumber
  }

  private typealias CStrings = [UnsafeMutablePointer<CChar>?]

  private func spawn(_ process: inout pid_t, _ words: CStrings, _ environment: CStrings) -> Int32 {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program should get signals that this program ignores or blocks.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    return posix_spawn(&process, "/bin/sh", nil, &attributes, words, environment)
  }

  /// This process's variables without secrets, plus the program's.
  private var environment: [String] {
    var values = ChildProcess.inheritedEnvironment
    for (name, value) in variables { values[name] = value }
    return values.map { "\($0.key)=\($0.value)" }
  }

  private func withCStrings<Result>(_ texts: [String], _ body: (CStrings) -> Result) -> Result {
    let pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }
}
