import JSONText

/// An error as it is reported to people and programs.
struct ErrorReport: Sendable, Equatable {
  struct Place: Sendable, Equatable {
    /// The file as shown in text.
    var shown: String
    /// The file, relative to the library's root.
    var file: String
    /// The line and column, or `nil` for the file as a whole.
    var position: TextPosition?
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
    _ code: String, _ message: String, causes: [String] = [], hint: String? = nil,
    exitCode: ExitCode
  ) {
    self.code = code
    self.message = message
    self.causes = causes
    self.hint = hint
    self.exitCode = exitCode
  }

  static func == (left: ErrorReport, right: ErrorReport) -> Bool {
    left.json == right.json && left.usage?.text == right.usage?.text
  }

  func write(to output: Output) {
    var lead = Text("Error:", .error) + " "
    if let place {
      lead.append(place.shown + (place.position.map { ":\($0)" } ?? "") + ": ", .strong)
    }
    output.line(lead + Text(message))
    for cause in causes { output.line(Text("Caused by:", .strong) + " " + Text(cause)) }
    if let hint { output.line(Text("Hint:", .strong) + " " + Text(hint)) }
    if let usage {
      output.line()
      UsageText(usage).write(to: output)
    }
  }

  var json: JSONValue {
    let document: Members = [
      "schema": "stories.error/1", "exitCode": exitCode.rawValue, "error": self,
    ]
    return JSONValue(encoding: document)
  }
}

extension ErrorReport: MemberEncodable {
  /// The error as a member of other documents.
  var members: Members {
    ["code": code, "message": message] + (place.map { .place($0.file, $0.position) } ?? [:])
      + ["causes": Omitted(causes.isEmpty ? nil : causes), "hint": Omitted(hint)]
  }
}

extension CommandPath: Equatable {
  static func == (left: CommandPath, right: CommandPath) -> Bool { left.text == right.text }
}
