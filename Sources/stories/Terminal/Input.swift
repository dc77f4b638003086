/// What a person types or a program pipes in.
struct Input: Sendable {
  /// Whether a person sits at it.
  var isTerminal: Bool
  /// Reads a line without its end; `nil` at the end of the input.
  var readLine: @Sendable () -> String?
  /// Reads one key, on a terminal without waiting for the return key and without showing it; `nil`
  /// at the end of the input. Interrupting from the keyboard is the key `\u{3}` (ETX).
  var readKey: @Sendable () -> Character?
  /// Reads a line that is not shown while it is typed; `nil` at the end of the input. Throws
  /// `CancellationError` where the person gives up.
  var readHiddenLine: @Sendable () throws -> String?

  /// An input that shows nothing anyway, and whose keys are the first letters of its lines.
  init(isTerminal: Bool, readLine: @escaping @Sendable () -> String?) {
    self.init(
      isTerminal: isTerminal, readLine: readLine,
      readKey: { readLine().map { $0.first ?? "\n" } }, readHiddenLine: readLine)
  }

  init(
    isTerminal: Bool, readLine: @escaping @Sendable () -> String?,
    readKey: @escaping @Sendable () -> Character?,
    readHiddenLine: @escaping @Sendable () throws -> String?
  ) {
    self.isTerminal = isTerminal
    self.readLine = readLine
    self.readKey = readKey
    self.readHiddenLine = readHiddenLine
  }
}
