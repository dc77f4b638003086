import Foundation
import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that a person named, such as an editor: a command line for the shell.
///
/// It runs in this program's own group of processes, with its terminal and its streams, and gets the
/// signals of the keyboard for itself while this program waits.
struct ExternalProgram: Sendable {
  /// The command line, as a person wrote it.
  var command: String
  /// Words that follow it, each one argument whatever is in it.
  var arguments: [String] = []
  /// Variables that it finds beside this process's own.
  var variables: [(name: String, value: String)] = []

  /// Runs it and waits for its end.
  ///
  /// - Returns: its exit status; 128 and the signal's number where a signal ended it.
  /// - Throws: `ProgramError.programFailed` where it could not be started.
  func run() throws(ProgramError) -> Int32 {
    // The shell takes the command line apart, as git has it: EDITOR may hold options.
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
    // What this program ignores, or its threads keep from themselves, others should get.
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

  /// This process's variables, but for secrets, with the program's own.
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
