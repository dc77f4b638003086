import Foundation
import StoryAPI

@main
enum Main {
  static func main() async {
    leaveMemoryOut()
    // A closed pipe is an error of the write instead, so that current work is finished.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that has reached its limit (setrlimit(2)), like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    // The embedded server is on this machine, so the proxy in the environment is not used for it.
    ProxyEnvironment.exemptLoopback()
    let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let areText = words.dropFirst().allSatisfy {
      $0.map { String(validatingCString: $0) != nil } ?? true
    }
    let code = await Program(argumentsAreText: areText)
      .run(Array(CommandLine.arguments.dropFirst()), in: .system())
    exit(code.rawValue)
  }

  /// Keeps crashes from revealing the program's memory, which holds tokens and passwords: no dump of
  /// registers and the memory that they point to on standard error, and no core.
  ///
  /// If `core_pattern` begins with a bar, Linux pipes the core to a program regardless of the limit for
  /// core files (core(5)), as systemd-coredump and apport use it. With a limit of one byte, it neither
  /// pipes nor writes one (`do_coredump` in fs/coredump.c). That limit cannot be set if the hard limit is 0.
  /// Child processes inherit it.
  ///
  /// The message of a failed check, with its file and line, is still written. With `SWIFT_BACKTRACE`
  /// set, the runtime's report is too.
  private static func leaveMemoryOut() {
    var limit = rlimit()
    #if canImport(Darwin)
      let (core, most): (Int32, rlim_t) = (RLIMIT_CORE, 0)
    #else
      let (core, most): (__rlimit_resource_t, rlim_t) = (.init(RLIMIT_CORE.rawValue), 1)
    #endif
    if getrlimit(core, &limit) == 0 {
      limit.rlim_cur = min(most, limit.rlim_max)
      setrlimit(core, &limit)
    }
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    // The signals that Swift's runtime reports on Linux.
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      signal(number, SIG_DFL)
    }
  }
}
