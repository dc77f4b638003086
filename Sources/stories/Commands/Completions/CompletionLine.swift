/// The state of a command line before the cursor: its command and what comes next.
///
/// Unlike the parser, this continues after errors.
struct CompletionLine: Sendable {
  private(set) var path: CommandPath
  /// The option whose value comes next, or `nil`.
  private(set) var waiting: ParameterDeclaration?
  private(set) var placed: [String] = []
  private(set) var isOver = false
  private(set) var folder: String?

  init(_ path: CommandPath) { self.path = path }

  /// The options that are possible here.
  var options: [ParameterDeclaration] {
    (path.last.declarations + GlobalOptions.declarations).filter { !$0.isArgument }
  }

  /// The arguments that can come next: none if no more are possible, and several if an optional
  /// one can be left out.
  var arguments: [ParameterDeclaration] {
    let all = path.last.declarations.filter(\.isArgument)
    var rest = all[...]
    for word in placed {
      while let next = rest.first, next.gives(way: word, in: all) { rest = rest.dropFirst() }
      if rest.first?.isRepeatable == false { rest = rest.dropFirst() }
    }
    guard let next = rest.first else { return [] }
    return next.gives(way: "", in: all) ? Array(rest) : [next]
  }

  /// Returns the option with that name, including dashes.
  func option(named word: some StringProtocol) -> ParameterDeclaration? {
    options.first { !$0.name.isEmpty && word == "--" + $0.name }
  }

  mutating func read(_ word: String) {
    if let option = waiting {
      // The shell split `--option=value`.
      if word == "=" { return }
      note(option, word)
      waiting = nil
    } else if isOver {
      placed.append(word)
    } else if word == "--" {
      isOver = true
    } else if word.hasPrefix("--") {
      readLong(word)
    } else if word.hasPrefix("-"), word.count > 1 {
      readLetters(word.dropFirst())
    } else if let child = path.child(word) {
      path = child
    } else {
      placed.append(word)
    }
  }

  private mutating func readLong(_ word: String) {
    let name = word.prefix { $0 != "=" }
    guard let option = option(named: name), option.form == .option else { return }
    if name.endIndex == word.endIndex {
      waiting = option
    } else {
      note(option, String(word[word.index(after: name.endIndex)...]))
    }
  }

  private mutating func readLetters(_ letters: Substring) {
    for (place, letter) in zip(letters.indices, letters) {
      guard let option = options.first(where: { $0.letter == letter }) else { return }
      guard option.form == .option else { continue }
      let value = letters[letters.index(after: place)...]
      if value.isEmpty { waiting = option } else { note(option, String(value)) }
      return
    }
  }

  private mutating func note(_ option: ParameterDeclaration, _ value: String) {
    if option.letter == "C" { folder = value }
  }
}
