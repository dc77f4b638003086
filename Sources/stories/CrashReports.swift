#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a crash of this program leaves behind.
enum CrashReports {
  /// The signals that Swift's runtime reports on Linux.
  private static let signals = [
    SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
  ]

  /// Lets signals end the program without a look into its memory, where tokens and passwords are: no
  /// dump of registers and of what they point to on standard error, and no core file.
  ///
  /// The message of a failed check, with its file and line, is written all the same. Whoever sets
  /// `SWIFT_BACKTRACE` asks for the runtime's report and gets it.
  static func leaveMemoryOut() {
    var limit = rlimit()
    #if canImport(Darwin)
      let core = RLIMIT_CORE
    #else
      let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #endif
    if getrlimit(core, &limit) == 0 {
      limit.rlim_cur = 0
      setrlimit(core, &limit)
    }
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    for number in signals { signal(number, SIG_DFL) }
  }
}
