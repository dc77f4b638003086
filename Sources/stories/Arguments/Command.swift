/// A command of the program: its name, parameters and implementation.
///
/// A command is a struct whose properties hold the parsed command line, as ``parameters`` declares.
/// Help, parser and completion all use these declarations.
protocol Command: Sendable {
  init()

  /// The word on the command line.
  static var name: String { get }
  /// The summary: imperative, one line, no full stop.
  static var summary: String { get }
  /// The full explanation: paragraphs separated by empty lines.
  static var discussion: String { get }
  static var examples: [Example] { get }
  /// The parameters, in the order of help.
  static var parameters: [Parameter<Self>] { get }
  static var subcommands: [any Command.Type] { get }
  /// The subcommand to run if none is given, or `nil` if one is required.
  static var defaultSubcommand: (any Command.Type)? { get }
  /// Other tools' names for subcommands, with the equivalent here.
  static var foreignWords: [String: String] { get }
  /// The subcommands below the headings of the overview, for the program's root.
  static var sections: [HelpSection] { get }
  /// Whether its output goes to the pager if it is longer than the terminal. Not for commands that ask
  /// questions or go on for long.
  static var isPaged: Bool { get }

  /// Runs the command.
  ///
  /// - Returns: the exit code of a run that reported its result in its output.
  /// - Throws: errors that ended it early; ``ErrorReport`` maps them to text and an exit code.
  func run(_ context: Context) async throws -> ExitCode
}

struct Example: Sendable, Equatable {
  var line: String
  /// Its effect, as a phrase.
  var purpose: String

  init(_ line: String, _ purpose: String) {
    self.line = line
    self.purpose = purpose
  }
}

/// Commands of the overview with their heading.
struct HelpSection: Sendable {
  var heading: String
  var commands: [any Command.Type]

  init(_ heading: String, _ commands: [any Command.Type]) {
    self.heading = heading
    self.commands = commands
  }
}

extension Command {
  static var discussion: String { "" }
  static var examples: [Example] { [] }
  static var parameters: [Parameter<Self>] { [] }
  static var subcommands: [any Command.Type] { sections.flatMap(\.commands) }
  static var defaultSubcommand: (any Command.Type)? { nil }
  static var foreignWords: [String: String] { [:] }
  static var sections: [HelpSection] { [] }
  static var isPaged: Bool { false }

  /// The parameters without their properties.
  static var declarations: [ParameterDeclaration] { parameters.map(\.declaration) }
  static var arguments: [ParameterDeclaration] { declarations.filter(\.isArgument) }
  static var options: [ParameterDeclaration] { declarations.filter { !$0.isArgument } }

  /// Creates a command from the parsed words.
  ///
  /// - Throws: `UsageError.wrongValue` if a word is not a valid value of its parameter.
  static func make(_ assignments: [Assignment]) throws(UsageError) -> Self {
    var command = Self()
    try assignments.apply(to: &command, parameters)
    return command
  }
}

/// A command that only has subcommands: `git setup`, `generate story`.
protocol CommandFamily: Command {}

extension CommandFamily {
  func run(_ context: Context) async throws -> ExitCode {
    throw UsageError(.missingCommand, in: CommandPath([Self.self]))
  }
}

struct Assignment: Sendable, Equatable {
  /// The parameter's index in the command's table.
  var parameter: Int
  /// The word, empty for a flag.
  var word: String
}

extension [Assignment] {
  func apply<Root>(to root: inout Root, _ parameters: [Parameter<Root>]) throws(UsageError) {
    for assignment in self {
      let parameter = parameters[assignment.parameter]
      do throws(ValueProblem) {
        try parameter.store(&root, assignment.word)
      } catch {
        throw UsageError(.wrongValue(of: parameter.declaration.spelling, assignment.word, error))
      }
    }
  }
}
