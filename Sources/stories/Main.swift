import Foundation
import StoryAPI

@main
enum Main {
  static func main() async {
    CrashReports.leaveMemoryOut()
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
}
