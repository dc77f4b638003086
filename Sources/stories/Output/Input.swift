/// The program's input, typed or piped.
struct Input: Sendable {
  var isTerminal: Bool
  /// Reads a line without its line feed, or `nil` at the end of the input.
  var readLine: @Sendable () -> String?
  /// Reads a line without echo, or `nil` at the end of the input. Throws `CancellationError` for
  /// Ctrl-C.
  var readHiddenLine: @Sendable () throws -> String?
  /// Reads one key, on a terminal without echo and without waiting for return, or `nil` at the end
  /// of the input. Ctrl-C is the key `\u{3}` (ETX).
  var readKey: @Sendable () -> Character?
  var readAll: @Sendable () -> [UInt8]
}

extension Input {
  /// Creates an input without echo whose keys are the first letters of its lines.
  init(isTerminal: Bool, readLine: @escaping @Sendable () -> String?) {
    self.init(
      isTerminal: isTerminal, readLine: readLine, readHiddenLine: readLine,
      readKey: { readLine().map { $0.first ?? "\n" } },
      readAll: { sequence(state: ()) { _ in readLine() }.flatMap { Array($0.utf8) + [0x0A] } })
  }
}
