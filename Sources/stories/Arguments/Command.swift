/// One command of the program: what it is called, what it takes and what it does.
///
/// A command is a struct whose properties hold what the command line says; ``parameters`` says which
/// is which. Help, the parser and completion all read these declarations.
protocol Command: Sendable {
  /// A command with nothing given.
  init()

  /// The word that calls it.
  static var name: String { get }
  /// What it does: imperative, one line, no full stop.
  static var summary: String { get }
  /// The full explanation: paragraphs with empty lines between them.
  static var discussion: String { get }
  /// Command lines worth knowing.
  static var examples: [Example] { get }
  /// What it takes, in the order of help.
  static var parameters: [Parameter<Self>] { get }
  /// The commands below it.
  static var subcommands: [any Command.Type] { get }
  /// The command below it that is meant where none is named; `nil` where one must be.
  static var defaultSubcommand: (any Command.Type)? { get }
  /// The heading under which the overview lists it.
  static var section: HelpSection { get }

  /// Does the work.
  ///
  /// - Returns: how it ended, for a run that could say so in its output.
  /// - Throws: whatever ended it early; ``ErrorReport`` turns that into text and an exit code.
  func run(_ context: Context) async throws -> ExitCode
}

/// A command line and what it is good for.
struct Example: Sendable, Equatable {
  /// The command line, as it is typed.
  var line: String
  /// What it does, as a phrase.
  var purpose: String

  init(_ line: String, _ purpose: String) {
    self.line = line
    self.purpose = purpose
  }
}

/// The headings of the overview, in their order.
enum HelpSection: String, Sendable, CaseIterable {
  case library = "Keep a library"
  case records = "Write and read"
  case sync = "Sync"
  case media = "Stories and media made by the server"
  case account = "Account"
  case server = "Serve"
  case program = "Help"
}

extension Command {
  static var discussion: String { "" }
  static var examples: [Example] { [] }
  static var parameters: [Parameter<Self>] { [] }
  static var subcommands: [any Command.Type] { [] }
  static var defaultSubcommand: (any Command.Type)? { nil }

  /// The parameters without the properties they go to.
  static var declarations: [ParameterDeclaration] { parameters.map(\.declaration) }

  /// A command from what the parser found.
  ///
  /// - Throws: `UsageError.wrongValue` where a word is no value of its parameter.
  static func make(_ assignments: [Assignment]) throws(UsageError) -> Self {
    var command = Self()
    try assignments.apply(to: &command, parameters)
    return command
  }
}

/// A command that only holds others: `git setup`, `generate story`.
protocol CommandFamily: Command {}

extension CommandFamily {
  func run(_ context: Context) async throws -> ExitCode {
    throw UsageError(.missingCommand, in: CommandPath([Self.self]))
  }
}

/// A word of the command line and the parameter that it belongs to.
struct Assignment: Sendable, Equatable {
  /// The parameter's place in the command's table.
  var parameter: Int
  /// The word; empty for a flag.
  var word: String
}

extension [Assignment] {
  /// Puts every word where its parameter says.
  func apply<Root>(
    to root: inout Root, _ parameters: [Parameter<Root>]
  ) throws(UsageError) {
    for assignment in self {
      let parameter = parameters[assignment.parameter]
      do throws(ValueProblem) {
        try parameter.store(&root, assignment.word)
      } catch {
        throw UsageError(
          .wrongValue(of: parameter.declaration.spelling, assignment.word, error))
      }
    }
  }
}
