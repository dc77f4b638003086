import JSONText

extension CommandPath {
  /// The help of the command and of all commands below it, as `stories.help/1`.
  var table: Members {
    [
      "schema": "stories.help/1", "commands": andAllBelow.map(\.members),
      "options": GlobalOptions.declarations.map(Self.members),
    ]
  }

  private var members: Members {
    let declarations = last.declarations
    return [
      "command": text, "summary": last.summary, "discussion": last.discussion,
      "arguments": declarations.filter(\.isArgument).map(Self.members),
      "options": declarations.filter { !$0.isArgument }.map(Self.members),
      "examples": last.examples.map { ["line": $0.line, "purpose": $0.purpose] as Members },
    ]
  }

  private static func members(of declaration: ParameterDeclaration) -> Members {
    let option: Members = [
      "letter": declaration.letter.map { "-\($0)" },
      "value": declaration.form == .option ? declaration.valueName : nil,
    ]
    return ["name": declaration.spelling] + (declaration.isArgument ? [:] : option)
      + [
        "help": declaration.help, "choices": declaration.choices,
        "required": declaration.isRequired, "repeatable": declaration.isRepeatable,
      ]
  }
}
