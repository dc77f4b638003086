import Foundation
import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Context {
  static func system() -> Context {
    let environment = systemEnvironment()
    func stream(_ descriptor: Int32, isBuffered: Bool) -> Output {
      let isTerminal = isatty(descriptor) == 1
      let sink = OutputSink(isBuffered: isBuffered && !isTerminal) { bytes in
        bytes.withUnsafeBytes { FileSystem.writeAll($0, to: descriptor) }
      }
      return Output(
        sink: sink, isTerminal: isTerminal,
        width: terminalWidth(isTerminal ? descriptor : nil, environment))
    }
    var context = Context(
      output: stream(STDOUT_FILENO, isBuffered: true),
      errors: stream(STDERR_FILENO, isBuffered: false),
      input: Input(
        isTerminal: isatty(STDIN_FILENO) == 1, readLine: { readLine(strippingNewline: true) },
        readHiddenLine: { try HiddenLine.read(from: STDIN_FILENO) },
        readKey: { KeyReader(descriptor: STDIN_FILENO).read() }),
      environment: environment, folder: Path.currentFolder())
    context.signals = .system
    context.childEnvironment = ChildProcess.inheritedEnvironment
    context.programPath = programPath()
    return context
  }

  /// Returns a terminal's columns: as it reports them, else `COLUMNS`, else 80.
  private static func terminalWidth(_ descriptor: Int32?, _ environment: [String: String]) -> Int {
    if let descriptor {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return Int(size.ws_col)
      }
    }
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
      return min(columns, 10_000)
    }
    return 80
  }

  /// The file that this process runs.
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

  private static func systemEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    for name in environmentNames {
      if let value = getenv(name) { result[name] = String(cString: value) }
    }
    return result
  }
}
