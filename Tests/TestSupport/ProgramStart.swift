import Foundation

#if !canImport(Darwin)
  import CPlatform
#endif

/// How a program is started as a process of its own.
///
/// By posix_spawn(3): Foundation's `Process` has broken down where a hundred threads start programs at
/// once, and keeps a socket and a run loop source for each.
package struct ProgramStart: Sendable {
  package struct Failure: Error {
    package var program: String
    package var code: Int32
  }

  /// The program, a path or a name in `PATH`, and its arguments.
  package var words: [String]
  /// The whole environment; `nil` is that of the tests.
  package var environment: [String: String]?
  /// The folder it starts in.
  package var folder: String

  package init(words: [String], environment: [String: String]? = nil, folder: String) {
    self.words = words
    self.environment = environment
    self.folder = folder
  }

  /// Starts it with three open files as its standard streams; returns its number.
  func spawn(input: Int32, output: Int32, errors: Int32) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (stream, file) in [input, output, errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(stream))
    }
    // The threads of tests may block signals that the program has to hear.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    #if canImport(Darwin)
      posix_spawn_file_actions_addchdir_np(&actions, folder)
      flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      _ = stories_spawn_in(&actions, folder)
      // Other tests' sockets, which URLSession opens for every program to inherit.
      stories_spawn_close_from(&actions, 3)
    #endif
    posix_spawnattr_setflags(&attributes, flags)
    let variables = environment ?? ProcessInfo.processInfo.environment
    var texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") }
    defer { for pointer in texts + settings { free(pointer) } }
    texts.append(nil)
    settings.append(nil)
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &actions, &attributes, texts, settings)
    guard code == 0 else { throw Failure(program: words[0], code: code) }
    return process
  }

  /// A pipe whose ends no other program gets.
  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let result = Darwin.pipe(&ends)
    #else
      let result = stories_pipe(&ends)
    #endif
    guard result == 0 else { throw Failure(program: "pipe", code: errno) }
    return (ends[0], ends[1])
  }
}
