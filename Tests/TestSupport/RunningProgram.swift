import Foundation

/// A program that runs beside the tests.
///
/// Unchecked: what its threads collect, and how it ended, is guarded by a condition.
package final class RunningProgram: @unchecked Sendable {
  /// How a program ended and what it wrote.
  package struct Result: Sendable {
    /// The exit status, or the number of the signal that ended it.
    package var code: Int32
    /// The bytes of standard output.
    package var bytes: [UInt8]
    package var output: String { String(decoding: bytes, as: UTF8.self) }
    package var errors: String
  }

  /// Its number, for what tells of it.
  package let identifier: Int32
  private var input: Int32
  private let condition = NSCondition()
  private var texts: [[UInt8]] = [[], []]
  private var open: Int
  private var status: Int32?

  /// A program that ends before it has read its input must not end the tests.
  private static let survivesBrokenPipes: Void = { _ = Foundation.signal(SIGPIPE, SIG_IGN) }()

  /// Starts a program with pipes for its streams.
  package init(_ start: ProgramStart) throws {
    Self.survivesBrokenPipes
    let stdin = try ProgramStart.pipe()
    let outputs = [try ProgramStart.pipe(), try ProgramStart.pipe()]
    defer { for end in [stdin.read, outputs[0].write, outputs[1].write] { close(end) } }
    identifier = try start.spawn(
      input: stdin.read, output: outputs[0].write, errors: outputs[1].write)
    input = stdin.write
    open = outputs.count
    // Pipes are drained while the program runs: a full one would make it wait for ever.
    for (place, pipe) in outputs.enumerated() {
      Thread.detachNewThread { [self] in collect(pipe.read, in: place) }
    }
  }

  /// Starts a program whose streams are all one file, such as a terminal.
  package init(_ start: ProgramStart, at terminal: Int32) throws {
    identifier = try start.spawn(input: terminal, output: terminal, errors: terminal)
    input = -1
    open = 0
  }

  deinit { if input >= 0 { close(input) } }

  private func collect(_ pipe: Int32, in place: Int) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(pipe, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      condition.withLock {
        if count > 0 { texts[place] += chunk[..<count] }
        if count <= 0 { open -= 1 }
        condition.broadcast()
      }
      if count <= 0 { break }
    }
    close(pipe)
  }

  /// Types a text and closes the input.
  package func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // A program that reads no more has heard enough.
      guard count > 0 else { break }
      sent += count
    }
    close(input)
    input = -1
  }

  /// Waits until the errors and notes hold a text; `false` if the program ends without it, or hangs.
  package func hasSaid(_ text: String, within time: Duration = patience) -> Bool {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: time / .seconds(1))
      func isThere() -> Bool { String(decoding: texts[1], as: UTF8.self).contains(text) }
      while !isThere(), open > 0, condition.wait(until: deadline) {}
      return isThere()
    }
  }

  /// Whether it still runs.
  package var isRunning: Bool { ended(waiting: false) == nil }

  /// The first line of the output, once it is there; `nil` if the program ends without one, or hangs.
  package func firstLine() -> String? { line(with: "") }

  /// The first line of the output that holds a text, once it is whole.
  package func line(with text: String) -> String? {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: patience / .seconds(1))
      while true {
        let end = texts[0].lastIndex(of: UInt8(ascii: "\n")) ?? 0
        let whole = texts[0][..<end]
        let line = String(decoding: whole, as: UTF8.self).split(separator: "\n").lazy
          .map(String.init).first { text.isEmpty || $0.contains(text) }
        if let line { return line }
        guard open > 0, condition.wait(until: deadline) else { return nil }
      }
    }
  }

  /// Sends a signal, unless it has ended.
  package func signal(_ number: Int32) {
    condition.withLock { if status == nil { kill(identifier, number) } }
  }

  /// Waits for the end, looking all the time at how much memory it takes; the most bytes that it had.
  ///
  /// What wait4(2) tells counts the memory of the tests as well, from which the program was started.
  package func peakMemory() -> Int {
    var peak = 0
    while isRunning {
      let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let words = line?.split(whereSeparator: \.isWhitespace) ?? []
      if words.count > 1, let size = Int(words[1]) { peak = max(peak, size << 10) }
      usleep(5_000)
    }
    return peak
  }

  /// Waits for the end.
  package func wait() -> Result {
    let status = ended(waiting: true) ?? 0
    let signal = status & 0x7F
    return condition.withLock {
      while open > 0 { condition.wait() }
      return Result(
        code: signal == 0 ? status >> 8 & 0xFF : signal, bytes: texts[0],
        errors: String(decoding: texts[1], as: UTF8.self))
    }
  }

  /// The status that it ended with, as waitpid(2) gives it.
  private func ended(waiting: Bool) -> Int32? {
    while true {
      var info = siginfo_t()
      // Left to be asked for again, so that its number is nobody else's while somebody may signal it.
      let options = WEXITED | WNOWAIT | (waiting ? 0 : WNOHANG)
      if waitid(P_PID, id_t(identifier), &info, options) != 0, errno == EINTR { continue }
      return condition.withLock {
        if status == nil {
          var found: Int32 = 0
          if waitpid(identifier, &found, WNOHANG) == identifier { status = found }
        }
        return status
      }
    }
  }
}
