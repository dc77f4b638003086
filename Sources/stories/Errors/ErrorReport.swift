import JSONText

/// An error as people and programs are told of it.
struct ErrorReport: Sendable, Equatable {
  /// A place in a file.
  struct Place: Sendable, Equatable {
    /// The file, as it is shown in text.
    var shown: String
    /// The file, relative to the library's root.
    var file: String
    /// Line and column; `nil` where the file as a whole is meant.
    var position: TextPosition?
  }

  /// The error in one word, for scripts; it does not change.
  var code: String
  /// What failed, on what: one sentence, no full stop behind something that is copied.
  var message: String
  /// Where; `nil` for what has no place in a file.
  var place: Place?
  /// Why, from the outermost cause inwards.
  var causes: [String] = []
  /// What to do next; `nil` where the message says it.
  var hint: String?
  /// The command whose usage is shown as well; `nil` for anything but a misread command line.
  var usage: CommandPath?
  /// How the program ends.
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

  /// Writes the error for a person.
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

  /// The error as `stories.error/1`.
  var json: JSONValue {
    [
      "schema": "stories.error/1", "exitCode": .number(JSONNumber(Int(exitCode.rawValue))),
      "error": .object(object),
    ]
  }

  /// The error as a member of other documents.
  var object: JSONObject {
    var object: JSONObject = ["code": .string(code), "message": .string(message)]
    if let place {
      object["file"] = .string(place.file)
      if let position = place.position {
        object["line"] = .number(JSONNumber(position.line))
        object["column"] = .number(JSONNumber(position.column))
      }
    }
    if !causes.isEmpty { object["causes"] = .array(causes.map { .string($0) }) }
    if let hint { object["hint"] = .string(hint) }
    return object
  }
}

extension CommandPath: Equatable {
  static func == (left: CommandPath, right: CommandPath) -> Bool { left.text == right.text }
}
