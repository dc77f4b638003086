/// What a person types or a program pipes in.
struct Input: Sendable {
  /// Whether a person sits at it.
  var isTerminal: Bool
  /// Reads a line without its end; `nil` at the end of the input.
  var readLine: @Sendable () -> String?
  /// Reads a line that is not shown while it is typed; `nil` at the end of the input. Throws
  /// `CancellationError` where the person gives up.
  var readHiddenLine: @Sendable () throws -> String?
  /// Reads one key, on a terminal without waiting for the return key and without showing it; `nil`
  /// at the end of the input. Interrupting from the keyboard is the key `\u{3}` (ETX).
  var readKey: @Sendable () -> Character?

  /// An input that shows nothing anyway, and whose keys are the first letters of its lines.
  init(isTerminal: Bool, readLine: @escaping @Sendable () -> String?) {
    self.init(
      isTerminal: isTerminal, readLine: readLine, readHiddenLine: readLine,
      readKey: { readLine().map { $0.first ?? "\n" } })
  }

  init(
    isTerminal: Bool, readLine: @escaping @Sendable () -> String?,
    readHiddenLine: @escaping @Sendable () throws -> String?,
    readKey: @escaping @Sendable () -> Character?
  ) {
    self.isTerminal = isTerminal
    self.readLine = readLine
    self.readHiddenLine = readHiddenLine
    self.readKey = readKey
  }
}
