#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The core dump and backtrace settings of this program.
enum CrashReports {
  /// The signals that Swift's runtime reports on Linux.
  private static let signals = [
    SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
  ]

  /// Lets signals end the program without a look into its memory, where tokens and passwords are: no
  /// dump of registers and of what they point to on standard error, and no core.
  ///
  /// Linux hands a core to a program where `core_pattern` begins with a bar, whatever the limit for
  /// core files is (core(5)): systemd-coredump and apport work in this way. Of a process whose limit is
  /// one byte, it makes none for them either (`do_coredump` in fs/coredump.c), nor a file of so little.
  /// Where the hard limit is 0, that byte cannot be asked for. Programs that this one runs inherit it.
  ///
  /// The message of a failed check, with its file and line, is written all the same. Whoever sets
  /// `SWIFT_BACKTRACE` asks for the runtime's report and gets it.
  static func leaveMemoryOut() {
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
    for number in signals { signal(number, SIG_DFL) }
  }
}
