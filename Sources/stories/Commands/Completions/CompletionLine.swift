/// What the words in front of the cursor say: which command they call, and what comes next.
///
/// The parser refuses what is wrong; here whatever is typed so far goes on being read.
struct CompletionLine: Sendable {
  /// The command called so far.
  private(set) var path: CommandPath
  /// The option whose value comes next; `nil` where none waits for one.
  private(set) var waiting: ParameterDeclaration?
  /// The arguments so far.
  private(set) var placed: [String] = []
  /// Whether `--` has ended the options.
  private(set) var isOver = false
  /// The folder of `-C`.
  private(set) var folder: String?

  init(_ path: CommandPath) { self.path = path }

  /// The options that may stand here.
  var options: [ParameterDeclaration] {
    (path.last.declarations + GlobalOptions.declarations).filter { !$0.isArgument }
  }

  /// The argument that the next word is; `nil` where there is room for none.
  var argument: ParameterDeclaration? {
    let arguments = path.last.declarations.filter(\.isArgument)
    if placed.count < arguments.count { return arguments[placed.count] }
    return arguments.last.flatMap { $0.isRepeatable ? $0 : nil }
  }

  /// The option of that name, dashes included.
  func option(named word: some StringProtocol) -> ParameterDeclaration? {
    options.first { !$0.name.isEmpty && word == "--" + $0.name }
  }

  mutating func read(_ word: String) {
    if let option = waiting {
      // The shell parted `--option=value`.
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
