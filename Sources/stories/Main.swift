#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    // A reader that goes away shows as an error of the write, so that work under way is finished.
    signal(SIGPIPE, SIG_IGN)
    let code = await Program().run(Array(CommandLine.arguments.dropFirst()), in: .system())
    exit(code.rawValue)
  }
}
