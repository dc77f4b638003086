import StoryLibrary

/// A command with the ones above it: `stories`, `stories sync`, `stories git setup`.
struct CommandPath: Sendable {
  /// The commands from the program itself downwards; never empty.
  private(set) var commands: [any Command.Type]

  init(_ commands: [any Command.Type]) { self.commands = commands }

  /// The command that is meant.
  var last: any Command.Type { commands[commands.count - 1] }

  /// The words that call the command: `stories git setup`.
  var text: String { commands.map { $0.name }.joined(separator: " ") }

  /// The command below that `word` calls; `nil` where there is none.
  func child(_ word: String) -> CommandPath? {
    last.subcommands.first { $0.name == word }.map { CommandPath(commands + [$0]) }
  }

  /// Follows words downwards from here.
  ///
  /// - Throws: `UsageError.unknownCommand` at the first word that calls nothing.
  func descending(_ words: some Sequence<String>) throws(UsageError) -> CommandPath {
    var path = self
    for word in words {
      guard let child = path.child(word) else { throw path.unknown(word) }
      path = child
    }
    return path
  }

  /// The error for a word that calls no command here.
  func unknown(_ word: String) -> UsageError {
    let nearest = Nearest.match(word, among: last.subcommands.map { $0.name })
    return UsageError(.unknownCommand(word, nearest: nearest), in: self)
  }
}
