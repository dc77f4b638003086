import JSONText

/// The help of a command and of all commands below it, for programs.
struct HelpTable: MemberEncodable {
  private let path: CommandPath

  init(_ path: CommandPath) { self.path = path }

  var members: Members {
    [
      "schema": "stories.help/1", "commands": path.andAllBelow.map(Self.command),
      "options": GlobalOptions.declarations.map(Self.parameter),
    ]
  }

  private static func command(_ path: CommandPath) -> Members {
    let declarations = path.last.declarations
    return [
      "command": path.text, "summary": path.last.summary, "discussion": path.last.discussion,
      "arguments": declarations.filter(\.isArgument).map(parameter),
      "options": declarations.filter { !$0.isArgument }.map(parameter),
      "examples": path.last.examples.map { ["line": $0.line, "purpose": $0.purpose] as Members },
    ]
  }

  private static func parameter(_ declaration: ParameterDeclaration) -> Members {
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
