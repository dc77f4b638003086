/// What the command line may hold for a command, as help, parser and completion see it.
struct ParameterDeclaration: Sendable {
  /// How the parameter stands on the command line.
  enum Form: Sendable, Equatable {
    /// `--json`: there or not.
    case flag
    /// `--server URL`: with a value behind it.
    case option
    /// `REF`: a word by its place.
    case argument
  }

  /// What a value names, so that a shell can complete it.
  enum Completion: Sendable, Equatable {
    /// Nothing that could be listed.
    case none
    /// One of the declaration's choices.
    case choices
    /// A folder.
    case folder
    /// A record of the library.
    case record
    /// A command of this program.
    case command
    /// A setting with its value behind an equals sign.
    case setting
  }

  /// How it stands on the command line.
  var form: Form
  /// The long name without dashes (`max-delete`); for an argument its word in usage (`REF`).
  var name: String
  /// The one-letter name of an option, without its dash.
  var letter: Character?
  /// The word for an option's value in usage: `URL`. Empty for a flag.
  var valueName = ""
  /// What it does, as a phrase without full stop.
  var help: String
  /// The words that are taken; empty where any is.
  var choices: [String] = []
  /// Whether it can be given several times, each adding a value.
  var isRepeatable = false
  /// Whether a command line without it is wrong.
  var isRequired = false
  /// What a shell can complete.
  var completion = Completion.none

  /// Whether it is found by its place, not by a name.
  var isArgument: Bool { form == .argument }

  /// The name as it is typed: `--max-delete`, `-C`, or an argument's word.
  var spelling: String {
    if isArgument { return name }
    if name.isEmpty, let letter { return "-\(letter)" }
    return "--" + name
  }

  /// What stands for the value in usage: the value's name, or the choices where they are few.
  var valueText: String {
    !choices.isEmpty && choices.count <= 3 ? choices.joined(separator: "|") : valueName
  }
}
