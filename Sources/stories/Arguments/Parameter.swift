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
  static func allowPlainHTTP(
    _ property: any WritableKeyPath<Root, Bool> & Sendable
  ) -> Parameter {
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
