@testable import stories

/// A small program of the tests' own, with every kind of parameter.
struct SampleProgram: CommandFamily {
  static let name = "sample"
  static let summary = "Try the parser"
  static let sections = [
    HelpSection("Work", [PaintCommand.self, SampleFamily.self, FailingCommand.self])
  ]
}

struct PaintCommand: Command, Equatable {
  enum Shade: String, ChoiceArgument {
    case light, dark
  }

  var place = ""
  var others: [String] = []
  var shade: Shade?
  var coats: Int?
  var tools: [String] = []
  var isDry = false
  var isFast = false
  var care = 0

  static let name = "paint"
  static let summary = "Paint something"
  static let discussion = "The first paragraph.\n\nThe second one."
  static let examples = [Example("sample paint door", "paints a door")]
  static let parameters: [Parameter<PaintCommand>] = [
    .argument("PLACE", \.place, help: "What to paint"),
    .arguments("OTHER", \.others, help: "What else"),
    .option("shade", letter: "s", value: "SHADE", \.shade, help: "How light"),
    .option("coats", value: "N", \.coats, help: "How often"),
    .option("tool", letter: "t", value: "NAME", \.tools, help: "With what"),
    .flag("dry", letter: "d", \.isDry, help: "Without paint"),
    .flag("fast", letter: "f", \.isFast, help: "In a hurry"),
    .count("careful", letter: "c", \.care, help: "With care"),
  ]

  func run(_ context: Context) async throws -> ExitCode { .done }
}

struct SampleFamily: CommandFamily {
  static let name = "wall"
  static let summary = "Work on walls"
  static let subcommands: [any Command.Type] = [RaiseCommand.self]
}

struct RaiseCommand: Command, Equatable {
  var height = 0

  static let name = "raise"
  static let summary = "Raise a wall"
  static let parameters: [Parameter<RaiseCommand>] = [
    .argument("HEIGHT", \.height, help: "How high")
  ]

  func run(_ context: Context) async throws -> ExitCode { .done }
}

/// A command that fails in a way that nobody foresaw.
struct FailingCommand: Command {
  struct Trouble: Error, CustomStringConvertible {
    let description = "the bucket \u{1B}[31mfell over\nand rolled away"
  }

  static let name = "fail"
  static let summary = "Fail"

  func run(_ context: Context) async throws -> ExitCode { throw Trouble() }
}
