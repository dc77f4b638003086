/// The help of a command and of all commands below it, for programs.
struct HelpTable: Encodable {
  let schema = "stories.help/1"
  private var commands: [Entry]
  /// The options of all commands.
  private var options: [Option]

  init(_ path: CommandPath) {
    commands = Self.entries(below: path)
    options = GlobalOptions.declarations.map(Option.init)
  }

  private static func entries(below path: CommandPath) -> [Entry] {
    [Entry(path)]
      + path.last.subcommands.flatMap { entries(below: CommandPath(path.commands + [$0])) }
  }

  private struct Entry: Encodable {
    /// The words of the command line: `stories git setup`.
    var command: String
    var summary: String
    /// The explanation, with a blank line between paragraphs.
    var discussion: String
    var arguments: [Argument]
    var options: [Option]
    var examples: [Example]

    init(_ path: CommandPath) {
      command = path.text
      summary = path.last.summary
      discussion = path.last.discussion
      let declarations = path.last.declarations
      arguments = declarations.filter(\.isArgument).map(Argument.init)
      options = declarations.filter { !$0.isArgument }.map(Option.init)
      examples = path.last.examples.map { Example(line: $0.line, purpose: $0.purpose) }
    }
  }

  private struct Argument: Encodable {
    var name: String
    var help: String
    /// The accepted words, empty for any.
    var choices: [String]
    var required: Bool
    var repeatable: Bool

    init(_ declaration: ParameterDeclaration) {
      name = declaration.name
      help = declaration.help
      choices = declaration.choices
      required = declaration.isRequired
      repeatable = declaration.isRepeatable
    }
  }

  private struct Option: Encodable {
    /// The name as it is typed: `--max-delete`.
    var name: String
    /// The short name, such as `-v`, or null.
    var letter: String?
    /// The word for the value, or null for an option without one.
    var value: String?
    var help: String
    var choices: [String]
    var required: Bool
    var repeatable: Bool

    init(_ declaration: ParameterDeclaration) {
      name = declaration.spelling
      letter = declaration.letter.map { "-\($0)" }
      value = declaration.form == .option ? declaration.valueName : nil
      help = declaration.help
      choices = declaration.choices
      required = declaration.isRequired
      repeatable = declaration.isRepeatable
    }
  }

  private struct Example: Encodable {
    var line: String
    var purpose: String
  }
}
