/// The declaration of a parameter for help, parser and completion.
struct ParameterDeclaration: Sendable {
  enum Form: Sendable, Equatable {
    /// `--json`: present or not.
    case flag
    /// `--server URL`: followed by a value.
    case option
    /// `REF`: a word by position.
    case argument
  }

  /// The kind of value, for shell completion, unless there are ``choices``.
  enum Completion: Sendable, Equatable {
    /// Nothing that could be listed.
    case none
    case folder
    case file
    case record
    case conflict
    case run
    case command
    /// A setting with its value after an equals sign.
    case setting
  }

  var form: Form
  /// The long name without dashes (`max-delete`), or an argument's word in usage (`REF`).
  var name: String
  /// An option's one-letter name without its dash.
  var letter: Character?
  /// The word for an option's value in usage: `URL`. Empty for a flag.
  var valueName = ""
  /// Its description, a phrase without full stop.
  var help: String
  var choices: [String] = []
  var isRepeatable = false
  /// Whether an argument must be given; options need not.
  var isRequired = false
  var completion = Completion.none

  var isArgument: Bool { form == .argument }

  /// Whether this optional choice is left out of a command line whose next word is none of its
  /// choices, because arguments for any words follow: `sync heroes` has no direction.
  func gives(way word: String?, in declarations: [ParameterDeclaration]) -> Bool {
    guard let word, isArgument, !isRequired, !choices.isEmpty, !choices.contains(word) else {
      return false
    }
    return declarations.last { $0.isArgument }.map { $0.isRepeatable && $0.name != name } == true
  }

  /// The name as typed: `--max-delete`, `-C`, or an argument's word.
  var spelling: String {
    if isArgument { return name }
    if name.isEmpty, let letter { return "-\(letter)" }
    return "--" + name
  }

  /// The value in usage: its name, or the choices if there are at most three.
  var valueText: String {
    !choices.isEmpty && choices.count <= 3 ? choices.joined(separator: "|") : valueName
  }
}
