/// An invalid command line.
struct UsageError: Error, Sendable {
  enum Reason: Sendable, Equatable {
    case unknownCommand(String, nearest: String?)
    case missingCommand
    /// An option that neither the command nor the program has.
    case unknownOption(String, nearest: String?)
    /// A command's option before that command.
    case optionTooEarly(String, of: String)
    case missingValue(of: String, String)
    case unexpectedValue(of: String)
    case wrongValue(of: String, String, ValueProblem)
    case missingArgument(String)
    case missingOption(String, String)
    case unexpectedArgument(String)
    case excluded(String, by: String)
    /// An option that requires another one.
    case missing(String, for: String)
  }

  var reason: Reason
  /// The command, or `nil` if a value was parsed without knowing it.
  var path: CommandPath?

  init(_ reason: Reason, in path: CommandPath? = nil) {
    self.reason = reason
    self.path = path
  }

  /// Returns the same error with its command.
  func located(in path: CommandPath) -> UsageError { UsageError(reason, in: self.path ?? path) }
}
