import Foundation
import StoryLibrary

extension Context {
  static func system() -> Context {
    let environment: [String: String] = environmentNames.reduce(into: [:]) {
      $0[$1] = getenv($1).map { String(cString: $0) }
    }
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? 80
    // The columns of an output that does not report them.
    let width = columns > 0 ? min(columns, 10_000) : 80
    func stream(_ descriptor: Int32, isBuffered: Bool) -> Output {
      let isTerminal = isatty(descriptor) == 1
      let sink = OutputSink(isBuffered: isBuffered && !isTerminal) { bytes in
        bytes.withUnsafeBytes { FileSystem.writeAll($0, to: descriptor) }
      }
      let size = isTerminal ? terminalSize(descriptor) : nil
      var output = Output(sink: sink, isTerminal: isTerminal, width: size?.columns ?? width)
      if let size { output.height = size.lines }
      return output
    }
    var context = Context(
      output: stream(STDOUT_FILENO, isBuffered: true),
      errors: stream(STDERR_FILENO, isBuffered: false),
      input: Input(
        isTerminal: isatty(STDIN_FILENO) == 1, readLine: { readLine(strippingNewline: true) },
        readHiddenLine: { try TerminalReader(descriptor: STDIN_FILENO).readHiddenLine() },
        readKey: { TerminalReader(descriptor: STDIN_FILENO).readKey() },
        readAll: { FileSystem.readAll(from: STDIN_FILENO) }),
      environment: environment, folder: Path.currentFolder())
    context.signals = .system
    context.childEnvironment = ChildProcess.inheritedEnvironment
    context.programPath = programPath()
    context.networkAddresses = networkAddresses
    return context
  }

  /// Returns the IPv4 addresses of this machine's networks (getifaddrs(3)), without its own loops.
  @Sendable private static func networkAddresses() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var result: [String] = []
    var next = first
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard let address = interface.ifa_addr, address.pointee.sa_family == AF_INET,
        interface.ifa_flags & UInt32(IFF_UP) != 0, interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard
        getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      result.append(String(decoding: host.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    return result
  }

  /// Returns the columns and lines that a terminal reports, or `nil` if it does not.
  private static func terminalSize(_ descriptor: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  private static func programPath() -> String {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _ = _NSGetExecutablePath(nil, &size)
      var buffer = [CChar](repeating: 0, count: Int(size) + 1)
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return "stories" }
      let path = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    #else
      let path = "/proc/self/exe"
    #endif
    return Path.resolved(path) ?? "stories"
  }
}
