/// What a person types or a program pipes in.
struct Input: Sendable {
  /// Whether a person sits at it.
  var isTerminal: Bool
  /// Reads a line without its end; `nil` at the end of the input.
  var readLine: @Sendable () -> String?
  /// Reads a line that is not shown while it is typed; `nil` at the end of the input. Throws
  /// `CancellationError` where the person gives up.
  var readHiddenLine: @Sendable () throws -> String?

  /// An input that shows nothing anyway.
  init(isTerminal: Bool, readLine: @escaping @Sendable () -> String?) {
    self.init(isTerminal: isTerminal, readLine: readLine, readHiddenLine: readLine)
  }

  init(
    isTerminal: Bool, readLine: @escaping @Sendable () -> String?,
    readHiddenLine: @escaping @Sendable () throws -> String?
  ) {
    self.isTerminal = isTerminal
    self.readLine = readLine
    self.readHiddenLine = readHiddenLine
  }
}
