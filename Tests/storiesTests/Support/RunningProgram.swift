import Foundation

/// A program that runs beside the tests.
///
/// Unchecked: what its threads collect, and how it ended, is guarded by a condition.
final class RunningProgram: @unchecked Sendable {
  /// Its number, for what tells of it.
  let identifier: Int32
  private var input: Int32
  private let condition = NSCondition()
  private var texts: [String] = ["", ""]
  private var open: Int
  private var status: Int32?

  /// Starts a program with pipes for its streams.
  init(_ start: ProgramStart) throws {
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

  /// Starts a program at a terminal.
  init(_ start: ProgramStart, at terminal: PseudoTerminal) throws {
    identifier = try start.spawn(
      input: terminal.program, output: terminal.program, errors: terminal.program)
    input = -1
    open = 0
  }

  deinit { if input >= 0 { close(input) } }

  private func collect(_ pipe: Int32, in place: Int) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var whole: [UInt8] = []
    while true {
      let count = read(pipe, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count > 0 { whole += chunk[..<count] }
      condition.withLock {
        texts[place] = String(decoding: whole, as: UTF8.self)
        if count <= 0 { open -= 1 }
        condition.broadcast()
      }
      if count <= 0 { break }
    }
    close(pipe)
  }

  /// Types a text and closes the input.
  func send(_ text: String) {
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

  /// Waits until the errors and notes hold a text; `false` where the program ends without it, or half a
  /// minute goes by.
  func hasSaid(_ text: String) -> Bool {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: 30)
      while !texts[1].contains(text), open > 0, condition.wait(until: deadline) {}
      return texts[1].contains(text)
    }
  }

  /// Whether it still runs.
  var isRunning: Bool { ended(waiting: false) == nil }

  /// The first line of the output, once it is there; `nil` where the program ends without one, or
  /// says nothing for half a minute.
  func firstLine() -> String? {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: 30)
      while !texts[0].contains("\n"), open > 0, condition.wait(until: deadline) {}
      return texts[0].split(separator: "\n").first.map(String.init)
    }
  }

  /// Sends a signal, unless it has ended.
  func signal(_ number: Int32) {
    condition.withLock { if status == nil { kill(identifier, number) } }
  }

  /// Waits for the end.
  func wait() -> BuiltProgram.Result {
    let status = ended(waiting: true) ?? 0
    let signal = status & 0x7F
    return condition.withLock {
      while open > 0 { condition.wait() }
      return BuiltProgram.Result(
        code: signal == 0 ? status >> 8 & 0xFF : signal, output: texts[0], errors: texts[1])
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
