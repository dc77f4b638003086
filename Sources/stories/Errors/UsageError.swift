import StoryAPI

/// An invalid command line.
struct UsageError: Error, Sendable {
  enum Reason: Sendable, Equatable {
    case unknownCommand(String, nearest: String?)
    case missingCommand
    /// An argument that is not valid UTF-8, repaired.
    case notUTF8(String)
    /// An option that neither the command nor the program has.
    case unknownOption(String, nearest: String?)
    /// A command's option before that command.
    /// The command is `nil` if several have the option.
    case optionTooEarly(String, of: String?)
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

  func located(in path: CommandPath) -> UsageError { UsageError(reason, in: self.path ?? path) }
}

extension ErrorReport {
  init(_ error: UsageError) {
    let (code, message, hint) = Self.words(for: error)
    self.init(code, message, hint: hint, exitCode: .wrongUsage)
    usage = error.path
  }

  private static func words(for error: UsageError) -> (String, String, hint: String?) {
    let command = error.path?.text ?? "stories"
    switch error.reason {
    case .unknownCommand(let word, let nearest):
      return (
        "unknown-command", "unknown command “\(command) \(Redaction.word(word))”",
        nearest.map { "did you mean `\(command) \($0)`?" }
      )
    case .missingCommand: return ("missing-command", "no command given", nil)
    case .notUTF8(let word):
      return (
        "not-utf-8", "an argument is not valid UTF-8: “\(Redaction.word(word))”",
        "to see what this terminal sends: locale"
      )
    case .unknownOption(let option, let nearest):
      return (
        "unknown-option", "`\(command)` has no option \(option)",
        nearest.map { "did you mean \($0)?" }
      )
    case .optionTooEarly(let option, let owner):
      return (
        "unknown-option", "\(option) must come after its command",
        owner.map { "write: \($0) \(option)" }
      )
    case .missingValue(let option, let value):
      return ("missing-value", "\(option) needs a value: \(option) \(value)", nil)
    case .unexpectedValue(let option):
      return ("unexpected-value", "\(option) takes no value", nil)
    case .wrongValue(let parameter, let word, let problem):
      return (
        "wrong-value", "\(parameter) must be \(problem.expected), not “\(Redaction.word(word))”",
        problem.nearest.map { "did you mean “\($0)”?" }
      )
    case .missingArgument(let name):
      return ("missing-argument", "`\(command)` needs \(name)", nil)
    case .missingOption(let option, let value):
      return ("missing-option", "`\(command)` needs \(option) \(value)", nil)
    case .unexpectedArgument(let word):
      return (
        "unexpected-argument",
        "“\(Redaction.word(word))” is an unexpected argument of `\(command)`",
        error.path?.last.declarations.contains(where: \.isArgument) == false
          ? nil : "quote a name that has several words"
      )
    case .excluded(let option, let other):
      return ("excluded", "\(option) and \(other) cannot be combined", nil)
    case .missing(let option, let other):
      return ("missing-option", "\(other) needs \(option)", nil)
    }
  }
}
