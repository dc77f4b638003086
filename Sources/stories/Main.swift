import StoryAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    CrashReports.leaveMemoryOut()
    // A reader that goes away shows as an error of the write, so that work under way is finished.
    signal(SIGPIPE, SIG_IGN)
    // So does a file that may not grow any more (setrlimit(2)), as a full disk does.
    signal(SIGXFSZ, SIG_IGN)
    // The embedded backend is on this machine, whatever proxy the environment names.
    ProxyEnvironment.exemptLoopback()
    let code = await Program().run(Array(CommandLine.arguments.dropFirst()), in: .system())
    exit(code.rawValue)
  }
}
