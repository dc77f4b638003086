import JSONText

/// An error as it is reported to people and programs.
struct ErrorReport: Sendable {
  struct Place: Sendable {
    var shown: String
    /// The file, relative to the library's root.
    var file: String
    /// The line and column, or `nil` for the file as a whole.
    var position: TextPosition?

    var text: String { Phrases.place(shown, position) }
  }

  /// The error in one word, for scripts; it does not change.
  var code: String
  /// The failure and its subject: one sentence, no full stop after anything that is copied.
  var message: String
  /// The place in a file, or `nil`.
  var place: Place?
  /// The causes, outermost first.
  var causes: [String] = []
  /// The advice, or `nil` if the message is enough.
  var hint: String?
  /// The command whose usage is shown too, only for an invalid command line.
  var usage: CommandPath?
  var exitCode: ExitCode

  init(
    _ code: String, _ message: String, at place: Place? = nil, causes: [String] = [],
    hint: String? = nil, exitCode: ExitCode = .failed
  ) {
    (self.code, self.message, self.place) = (code, message, place)
    (self.causes, self.hint, self.exitCode) = (causes, hint, exitCode)
  }

  /// Creates the report of a request that is invalid or impossible.
  static func misuse(
    _ code: String, _ message: String, at place: Place? = nil, hint: String? = nil
  ) -> ErrorReport {
    ErrorReport(code, message, at: place, hint: hint, exitCode: .wrongUsage)
  }

  /// The file, the message and the causes, in one line.
  var reason: String {
    ([place?.file, message].compactMap(\.self) + causes).joined(separator: ": ")
  }

  func write(to output: Output) {
    var lead = Text("Error:", .error) + " "
    if let place { lead.append(place.text + ": ", .strong) }
    output.prose(lead + Text(message))
    for cause in causes { output.prose(Text(cause), lead: Text("Caused by:", .strong) + " ") }
    if let hint { Self.write(hint: hint, to: output) }
    if let usage {
      output.line()
      usage.writeUsage(to: output)
    }
  }

  /// Writes a hint. A command at its end that does not fit gets a line of its own, uncut, so that
  /// it can be copied.
  private static func write(hint: String, to output: Output) {
    let lead = Text("Hint:", .strong) + " "
    let text = lead + Text(hint)
    guard output.isTerminal, text.width > output.readingWidth,
      let start = hint.ranges(of: ": stories ").last
    else { return output.prose(Text(hint), lead: lead) }
    output.prose(Text(String(hint[...start.lowerBound])), lead: lead)
    output.line(Text("  " + hint[start.lowerBound...].dropFirst(2)))
  }

  var json: JSONValue {
    JSONValue(
      encoding: ["schema": "stories.error/1", "exitCode": exitCode.rawValue, "error": self]
        as Members)
  }
}

extension Context {
  /// Writes what failed with one of several records or files, with the hint below.
  func writeFailure(of subject: String, _ message: String, hint: String?) {
    errors.line(Text("Error: ", .error) + Text("\(subject): ", .strong) + Text(message))
    if let hint { errors.line(Text("  Hint: \(hint)", .faint)) }
  }

  /// Writes the error of a command that has told what it did, and returns its exit code.
  func report(_ error: any Error) -> ExitCode {
    let report = ErrorReport(error, in: self)
    report.write(to: errors)
    return report.exitCode
  }
}

extension ErrorReport: MemberEncodable {
  var members: Members {
    ["code": code, "message": message] + (place.map { .place($0.file, $0.position) } ?? [:])
      + ["causes": causes.filled, "hint": Omitted(hint)]
  }
}

/// An error that makes its own report.
protocol ReportedError: Error {
  func report(in context: Context) -> ErrorReport
}

/// An error with better advice from code that knows the context.
struct AdvisedError: ReportedError {
  var error: any Error
  var hint: String

  func report(in context: Context) -> ErrorReport {
    var report = ErrorReport(error, in: context)
    report.hint = hint
    return report
  }
}

extension Error {
  /// Returns the error with better advice, if there is any.
  func advised(_ hint: String?) -> any Error {
    hint.map { AdvisedError(error: self, hint: $0) } ?? self
  }
}
