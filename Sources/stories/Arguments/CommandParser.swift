import StoryLibrary

/// Parses command lines.
///
/// Options can be anywhere after their command, global ones before it too. `--opt=value` and `--opt
/// value` are the same, letters can share a dash (`-qv`, `-Cfolder`), and everything after `--` is
/// an argument.
struct CommandParser: Sendable {
  let root: any Command.Type

  enum Invocation: Sendable {
    case run(any Command, CommandPath, GlobalOptions)
    case help(CommandPath, GlobalOptions)
    case version(GlobalOptions)
  }

  /// Parses the words after the program's name.
  ///
  /// - Throws: `UsageError` at the first invalid word, unless help is requested anywhere.
  func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    var reading = CommandLineReading(root, arguments)
    do throws(UsageError) {
      while !reading.isAtEnd { try reading.readNext() }
      let globals = try reading.makeGlobals()
      if globals.wantsHelp { return .help(reading.path, globals) }
      if globals.wantsVersion { return .version(globals) }
      let command = try reading.makeCommand()
      return .run(command, reading.path, globals)
    } catch {
      if Self.asksForHelp(arguments) { return .help(reading.path, GlobalOptions()) }
      throw error.located(in: reading.path)
    }
  }

  private static func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// Returns whether JSON output is requested, even by an invalid command line.
  static func asksForJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }
}

/// A command line as far as it is read; shell completion goes on after an error.
struct CommandLineReading {
  private(set) var path: CommandPath
  private var words: ArraySlice<String>
  /// The words that are arguments by position, or no command where one is expected.
  private(set) var positional: [String] = []
  private var options: [Assignment] = []
  private var globals: [Assignment] = []
  /// The option at the end whose value is missing.
  private(set) var waiting: ParameterDeclaration?
  /// Whether only arguments can follow.
  private(set) var isOver = false

  init(_ root: any Command.Type, _ words: [String]) {
    path = CommandPath([root])
    self.words = words[...]
  }

  var isAtEnd: Bool { words.isEmpty }

  var knownOptions: [ParameterDeclaration] { path.last.options + GlobalOptions.declarations }

  mutating func readNext() throws(UsageError) {
    guard let word = words.popFirst() else { return }
    if word == "--" {
      positional += words
      words = []
      isOver = true
    } else if word.hasPrefix("--") {
      try readLong(word)
    } else if word.hasPrefix("-"), word != "-" {
      try readShort(word)
    } else if let child = path.child(word) {
      path = child
    } else {
      positional.append(word)
      if !path.last.subcommands.isEmpty { throw path.unknown(word) }
    }
  }

  /// The global options whose values make sense.
  var validGlobals: GlobalOptions {
    globals.reduce(into: GlobalOptions()) { try? [$1].apply(to: &$0, GlobalOptions.parameters) }
  }

  func makeGlobals() throws(UsageError) -> GlobalOptions {
    var result = GlobalOptions()
    try globals.apply(to: &result, GlobalOptions.parameters)
    return result
  }

  mutating func makeCommand() throws(UsageError) -> any Command {
    if !path.last.subcommands.isEmpty {
      if let word = positional.first { throw path.unknown(word) }
      guard let usual = path.last.defaultSubcommand else {
        throw UsageError(.missingCommand, in: path)
      }
      path = CommandPath(path.commands + [usual])
    }
    return try path.last.make(options + place(positional))
  }

  // MARK: Options

  /// An option that was found: its declaration and its index in the table.
  private typealias Found = (declaration: ParameterDeclaration, place: Int, isGlobal: Bool)

  private func find(_ matches: (ParameterDeclaration) -> Bool) -> Found? {
    for (table, isGlobal) in [(path.last.declarations, false), (GlobalOptions.declarations, true)] {
      if let place = table.firstIndex(where: { !$0.isArgument && matches($0) }) {
        return (table[place], place, isGlobal)
      }
    }
    return nil
  }

  private mutating func assign(_ found: Found, _ word: String) {
    let assignment = Assignment(parameter: found.place, word: word)
    if found.isGlobal { globals.append(assignment) } else { options.append(assignment) }
  }

  private mutating func readLong(_ word: String) throws(UsageError) {
    let equals = word.firstIndex(of: "=")
    let name = String(word[..<(equals ?? word.endIndex)].dropFirst(2))
    guard let found = find({ $0.name == name && !name.isEmpty }) else { throw unknown("--" + name) }
    let value = equals.map { String(word[word.index(after: $0)...]) }
    switch (found.declaration.form, value) {
    case (.flag, nil): assign(found, "")
    case (.flag, .some): throw UsageError(.unexpectedValue(of: found.declaration.spelling))
    case (_, let value?): assign(found, value)
    case (_, nil): assign(found, try nextValue(of: found.declaration))
    }
  }

  private mutating func readShort(_ word: String) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let found = find({ $0.letter == letter }) else {
        // `-json` is more likely a long name with one dash than five letters.
        throw unknown(letters.isEmpty || letters.count + 2 < word.count ? "-\(letter)" : word)
      }
      if found.declaration.form == .flag {
        assign(found, "")
      } else if letters.isEmpty {
        assign(found, try nextValue(of: found.declaration))
      } else {
        assign(found, String(letters.first == "=" ? letters.dropFirst() : letters))
        return
      }
    }
  }

  /// Returns the next word as an option's value unless it looks like an option (`--opt=-x` works).
  private mutating func nextValue(of declaration: ParameterDeclaration) throws(UsageError) -> String
  {
    let looksLikeOption = words.first.map { $0.hasPrefix("-") && $0 != "-" && Int($0) == nil }
    guard looksLikeOption == false, let value = words.popFirst() else {
      if words.isEmpty { waiting = declaration }
      throw UsageError(.missingValue(of: declaration.spelling, declaration.valueText))
    }
    return value
  }

  private func unknown(_ spelling: String) -> UsageError {
    let typed = String(spelling.drop { $0 == "-" })
    let owners = path.last.subcommands.filter { $0.options.contains { $0.name == typed } }
    if let owner = owners.first {
      let only = owners.count == 1 ? CommandPath(path.commands + [owner]).text : nil
      return UsageError(.optionTooEarly(spelling, of: only))
    }
    let nearest =
      typed.count < 2
      ? nil : Nearest.match(typed, among: knownOptions.map(\.name).filter { !$0.isEmpty })
    return UsageError(.unknownOption(spelling, nearest: nearest.map { "--" + $0 }))
  }

  // MARK: Arguments

  /// Assigns each word to the argument at its position; a repeatable one takes the rest. An optional
  /// choice before it is left out if the word is none of its choices.
  private func place(_ words: [String]) throws(UsageError) -> [Assignment] {
    var rest = words[...]
    var result: [Assignment] = []
    for (place, declaration) in path.last.declarations.enumerated() where declaration.isArgument {
      if declaration.gives(way: rest.first, in: path.last.declarations) { continue }
      guard let word = rest.popFirst() else {
        if declaration.isRequired { throw UsageError(.missingArgument(declaration.name)) }
        continue
      }
      // It would mean the current folder, where nobody wants an export or a library by mistake.
      if declaration.completion == .folder, word.isEmpty {
        throw UsageError(
          .wrongValue(of: declaration.name, word, ValueProblem(expected: "a folder")))
      }
      result.append(Assignment(parameter: place, word: word))
      guard declaration.isRepeatable else { continue }
      result += rest.map { Assignment(parameter: place, word: $0) }
      rest = []
    }
    if let word = rest.first { throw UsageError(.unexpectedArgument(word)) }
    return result
  }
}
