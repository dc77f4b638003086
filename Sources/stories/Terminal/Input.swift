/// What a person types or a program pipes in.
struct Input: Sendable {
  /// Whether a person sits at it.
  var isTerminal: Bool
  /// Reads a line without its end; `nil` at the end of the input.
  var readLine: @Sendable () -> String?

  init(isTerminal: Bool, readLine: @escaping @Sendable () -> String?) {
    self.isTerminal = isTerminal
    self.readLine = readLine
  }
}
