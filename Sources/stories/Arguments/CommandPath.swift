import StoryLibrary

/// A command and its parents: `stories`, `stories sync`, `stories git setup`.
struct CommandPath: Sendable {
  /// The commands from the root down; never empty.
  private(set) var commands: [any Command.Type]

  init(_ commands: [any Command.Type]) { self.commands = commands }

  var last: any Command.Type { commands[commands.count - 1] }

  /// The command line words: `stories git setup`.
  var text: String { commands.map { $0.name }.joined(separator: " ") }

  var andAllBelow: [CommandPath] {
    [self] + last.subcommands.flatMap { CommandPath(commands + [$0]).andAllBelow }
  }

  func child(_ word: String) -> CommandPath? {
    last.subcommands.first { $0.name == word }.map { CommandPath(commands + [$0]) }
  }

  /// Follows words down to a subcommand; what comes after one without subcommands are its arguments.
  ///
  /// - Throws: `UsageError.unknownCommand` at the first word that is not a command.
  func descending(_ words: some Sequence<String>) throws(UsageError) -> CommandPath {
    var path = self
    for word in words where !path.last.subcommands.isEmpty {
      guard let child = path.child(word) else { throw path.unknown(word) }
      path = child
    }
    return path
  }

  /// Returns the error for a word that is not a subcommand.
  func unknown(_ word: String) -> UsageError {
    let names = last.subcommands.map { $0.name }
    let near = Nearest.match(word, among: names + last.foreignWords.keys, within: 1)
    let nearest = near.map { last.foreignWords[$0] ?? $0 } ?? Nearest.match(word, among: names)
    return UsageError(.unknownCommand(word, nearest: nearest), in: self)
  }
}
