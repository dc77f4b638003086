/// A parameter of a command with the property that its value goes to.
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
  /// How it stands on the command line.
  var declaration: ParameterDeclaration
  /// Puts a word (for a flag an empty one) into a command.
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

  /// `--name` that counts how often it is given.
  static func count(
    _ name: String, letter: Character? = nil, _ property: any WritableKeyPath<Root, Int> & Sendable,
    help: String
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .flag, name: name, letter: letter, help: help, isRepeatable: true)
    ) { (root, _) throws(ValueProblem) in root[keyPath: property] += 1 }
  }

  /// `--name VALUE`; of several the last one counts.
  static func option<Value: ArgumentValue>(
    _ name: String, letter: Character? = nil, value: String,
    _ property: any WritableKeyPath<Root, Value?> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .option, name: name, letter: letter, valueName: value, help: help,
        choices: Value.choices, completion: Value.choices.isEmpty ? completion : .choices)
    ) { (root, word) throws(ValueProblem) in root[keyPath: property] = try Value.parse(word) }
  }

  /// `--name VALUE` that a command line must have.
  static func required(
    _ name: String, value: String, _ property: any WritableKeyPath<Root, String> & Sendable,
    help: String
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .option, name: name, valueName: value, help: help, isRequired: true)
    ) { (root, word) throws(ValueProblem) in root[keyPath: property] = word }
  }

  /// `--name VALUE`, as often as wanted.
  static func option<Value: ArgumentValue>(
    _ name: String, letter: Character? = nil, value: String,
    _ property: any WritableKeyPath<Root, [Value]> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .option, name: name, letter: letter, valueName: value,
        help: help + " (can be repeated)", choices: Value.choices, isRepeatable: true,
        completion: Value.choices.isEmpty ? completion : .choices)
    ) { (root, word) throws(ValueProblem) in
      root[keyPath: property].append(try Value.parse(word))
    }
  }

  /// A word by its place; a command line without it is wrong unless it is optional.
  static func argument<Value: ArgumentValue>(
    _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable, help: String,
    isRequired: Bool = false, completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .argument, name: name, help: help, choices: Value.choices, isRequired: isRequired,
        completion: Value.choices.isEmpty ? completion : .choices)
    ) { (root, word) throws(ValueProblem) in root[keyPath: property] = try Value.parse(word) }
  }

  /// A word by its place that a command line must have.
  static func argument(
    _ name: String, _ property: any WritableKeyPath<Root, String> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .argument, name: name, help: help, isRequired: true, completion: completion)
    ) { (root, word) throws(ValueProblem) in root[keyPath: property] = word }
  }

  /// All words from this place on.
  static func arguments<Value: ArgumentValue>(
    _ name: String, _ property: any WritableKeyPath<Root, [Value]> & Sendable, help: String,
    completion: ParameterDeclaration.Completion = .none
  ) -> Parameter {
    Parameter(
      declaration: ParameterDeclaration(
        form: .argument, name: name, help: help, choices: Value.choices, isRepeatable: true,
        completion: Value.choices.isEmpty ? completion : .choices)
    ) { (root, word) throws(ValueProblem) in
      root[keyPath: property].append(try Value.parse(word))
    }
  }
}
