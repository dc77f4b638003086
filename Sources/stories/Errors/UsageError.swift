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

extension UsageError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    var report = reason.report(in: path)
    report.usage = path
    return report
  }
}

extension UsageError.Reason {
  fileprivate func report(in path: CommandPath?) -> ErrorReport {
    let command = path?.text ?? "stories"
    return switch self {
    case .unknownCommand(let word, let nearest):
      .misuse(
        "unknown-command", "unknown command “\(command) \(Redaction.word(word))”",
        hint: nearest.map { "did you mean `\(command) \($0)`?" })
    case .missingCommand: .misuse("missing-command", "no command given")
    case .notUTF8(let word):
      .misuse(
        "not-utf-8", "an argument is not valid UTF-8: “\(Redaction.word(word))”",
        hint: "to see what this terminal sends: locale")
    case .unknownOption(let option, let nearest):
      .misuse(
        "unknown-option", "`\(command)` has no option \(option)",
        hint: nearest.map { "did you mean \($0)?" })
    case .optionTooEarly(let option, let owner):
      .misuse(
        "unknown-option", "\(option) must come after its command",
        hint: owner.map { "write: \($0) \(option)" })
    case .missingValue(let option, let value):
      .misuse("missing-value", "\(option) needs a value: \(option) \(value)")
    case .unexpectedValue(let option): .misuse("unexpected-value", "\(option) takes no value")
    case .wrongValue(let parameter, let word, let problem):
      .misuse(
        "wrong-value", "\(parameter) must be \(problem.expected), not “\(Redaction.word(word))”",
        hint: problem.nearest.map { "did you mean “\($0)”?" })
    case .missingArgument(let name): .misuse("missing-argument", "`\(command)` needs \(name)")
    case .missingOption(let option, let value):
      .misuse("missing-option", "`\(command)` needs \(option) \(value)")
    case .unexpectedArgument(let word):
      .misuse(
        "unexpected-argument",
        "“\(Redaction.word(word))” is an unexpected argument of `\(command)`",
        hint: path?.last.declarations.contains(where: \.isArgument) == false
          ? nil : "quote a name that has several words")
    case .excluded(let option, let other):
      .misuse("excluded", "\(option) and \(other) cannot be combined")
    case .missing(let option, let other): .misuse("missing-option", "\(other) needs \(option)")
    }
  }
}
