/// A command line that cannot be understood.
struct UsageError: Error, Sendable {
  /// What is wrong with it.
  enum Reason: Sendable, Equatable {
    /// A word that calls no command.
    case unknownCommand(String, nearest: String?)
    /// A command that only holds others was called without one of them.
    case missingCommand
    /// A name with dashes that neither the command nor the program knows.
    case unknownOption(String, nearest: String?)
    /// An option of some command in front of that command.
    case optionTooEarly(String, of: String)
    /// An option without its value.
    case missingValue(of: String, String)
    /// A flag with a value.
    case unexpectedValue(of: String)
    /// A word that is no value of its parameter.
    case wrongValue(of: String, String, ValueProblem)
    /// An argument that must be there.
    case missingArgument(String)
    /// An option that must be there.
    case missingOption(String, String)
    /// A word too many.
    case unexpectedArgument(String)
    /// Two options that cannot be combined.
    case excluded(String, by: String)
    /// An option that only means something beside another one.
    case missing(String, for: String)
  }

  /// What is wrong.
  var reason: Reason
  /// The command that was called; `nil` where a value was read without knowing it.
  var path: CommandPath?

  init(_ reason: Reason, in path: CommandPath? = nil) {
    self.reason = reason
    self.path = path
  }

  /// The same error, with the command that was called.
  func located(in path: CommandPath) -> UsageError { UsageError(reason, in: self.path ?? path) }
}
