import StoryLibrary

struct Player: Sendable {
  let command: String
  /// Whether its output must not mix with that of this program.
  private let isQuiet: Bool

  /// Known players with their options, and the extensions of the files that they play if not all.
  private static let known: [(name: String, options: String, extensions: Set<String>?)] = [
    ("mpv", "--no-video --really-quiet", nil),
    ("ffplay", "-nodisp -autoexit -loglevel quiet", nil),
    ("afplay", "", nil),
    ("play", "-q", nil),
    ("mpg123", "-q", ["mp3"]),
    ("pw-play", "", ["wav", "flac", "ogg"]),
    ("paplay", "", ["wav", "flac", "ogg"]),
    ("aplay", "-q", ["wav"]),
  ]

  /// Finds a player for files with an extension: `STORIES_PLAYER`, else the first known one that is installed.
  init(_ context: Context, type: String) throws(ReadingError) {
    isQuiet = context.isJSON
    if let own = context.environment["STORIES_PLAYER"], own.contains(where: { !$0.isWhitespace }) {
      command = own
      return
    }
    for player in Self.known where player.extensions?.contains(type) ?? true {
      guard let path = ExternalProgram.path(of: player.name, in: context.childEnvironment) else {
        continue
      }
      command = ShellWord.quoting(path) + (player.options.isEmpty ? "" : " " + player.options)
      return
    }
    throw .noPlayer(type: type.uppercased())
  }

  /// Plays a file and waits for its end.
  ///
  /// - Returns: whether it was played to its end; `false` if a signal ended the player.
  func play(_ file: String) throws(ProgramError) -> Bool {
    let status = try ExternalProgram(
      command: command, arguments: [file], isOutputOnErrors: isQuiet
    ).run()
    guard status == 0 || status > 128 else { throw .exited(command, status: status) }
    return status == 0
  }
}
