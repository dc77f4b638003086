/// A parameter of a command and the property for its value.
///
/// A command declares its parameters as a table:
/// ```swift
/// static let parameters: [Parameter<NewCommand>] = [
///   .argument("NAME", \.name, help: "The record's name or title"),
///   .option("in", value: "FOLDER", \.folder, help: "A folder below the kind's own"),
///   .flag("dry-run", \.isDryRun, help: "Show what would be written"),
/// ]
/// ```
struct Parameter<Root>: Sendable {
  var declaration: ParameterDeclaration
  /// Stores a word (empty for a flag) in a command.
  let store: @Sendable (inout Root, String) throws(ValueProblem) -> Void
}

extension Parameter {
  /// `--name`, which sets a property to `true`.
  static func flag(
    _ name: String, letter: Character? = nil,
    _ property: any WritableKeyPath<Root, Bool> & Sendable, help: String
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(form: .flag, name: name, letter: letter, help: help)
    ) { (root, _) throws(ValueProblem) in root[keyPath: property] = true }
  }

  /// `--allow-plain-http`, as commands have it that take a server's address.
  static func allowPlainHTTP(_ property: any WritableKeyPath<Root, Bool> & Sendable) -> Parameter {
    .flag("allow-plain-http", property, help: "Allow http:// for this address, for you only")
  }

  /// `--name` that counts its occurrences.
  static func count(
    _ name: String, letter: Character? = nil, _ property: any WritableKeyPath<Root, Int> & Sendable,
    help: String
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .flag, name: name, letter: letter, help: help, isRepeatable: true)
    ) { (root, _) throws(ValueProblem) in root[keyPath: property] += 1 }
  }

  /// `--name VALUE`; the last occurrence wins.
  static func option<Value: ArgumentValue>(
    _ name: String, letter: Character? = nil, value: String,
    _ property: any WritableKeyPath<Root, Value?> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .option, name: name, letter: letter, valueName: value, help: help,
        choices: Value.choices, completion: completion)
    ) { (root, word) throws(ValueProblem) in root[keyPath: property] = try Value.parse(word) }
  }

  /// `--name VALUE`, repeatable.
  static func option<Value: ArgumentValue>(
    _ name: String, letter: Character? = nil, value: String,
    _ property: any WritableKeyPath<Root, [Value]> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .option, name: name, letter: letter, valueName: value,
        help: help + " (can be repeated)", choices: Value.choices, isRepeatable: true,
        completion: completion)
    ) { (root, word) throws(ValueProblem) in
      root[keyPath: property].append(try Value.parse(word))
    }
  }

  /// An optional word by position.
  static func argument<Value: ArgumentValue>(
    _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .argument, name: name, help: help, choices: Value.choices, completion: completion)
    ) { (root, word) throws(ValueProblem) in root[keyPath: property] = try Value.parse(word) }
  }

  /// A required word by position; the parser replaces the property's first value.
  static func argument<Value: ArgumentValue>(
    _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .argument, name: name, help: help, choices: Value.choices, isRequired: true,
        completion: completion)
    ) { (root, word) throws(ValueProblem) in root[keyPath: property] = try Value.parse(word) }
  }

  /// All remaining words from this position; at least one if `isRequired`.
  static func arguments<Value: ArgumentValue>(
    _ name: String, _ property: any WritableKeyPath<Root, [Value]> & Sendable, help: String,
    isRequired: Bool = false, completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .argument, name: name, help: help, choices: Value.choices, isRepeatable: true,
        isRequired: isRequired, completion: completion)
    ) { (root, word) throws(ValueProblem) in
      root[keyPath: property].append(try Value.parse(word))
    }
  }
}

extension Array {
  /// Returns the parameters of a part of a command as those of the command, which keeps the part in a
  /// property.
  func stored<Root, Part>(
    in property: any WritableKeyPath<Root, Part> & Sendable
  ) -> [Parameter<Root>] where Element == Parameter<Part> {
    map { parameter in
      Parameter<Root>(declaration: parameter.declaration) { (root, word) throws(ValueProblem) in
        try parameter.store(&root[keyPath: property], word)
      }
    }
  }
}

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

  /// Returns whether the next word of a command line belongs to a later argument, because it is not
  /// one of the choices of this optional one: `sync heroes` names no direction.
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
