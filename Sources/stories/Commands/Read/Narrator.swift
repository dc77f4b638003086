import Foundation
import StoryLibrary
import StoryMedia
import StoryServer

/// Reads a story aloud: its narration on this machine, else one that the user's engine makes.
struct Narrator: Sendable {
  let ref: RecordRef
  let title: String
  let paragraphs: [String]
  let language: String
  let library: Library
  let context: Context

  /// Returns whether the server has a narration, and the path of its file on this machine, or `nil`.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  func find() throws -> (isOnServer: Bool, path: String?) {
    let files = try context.localMedia(of: library).use([ref])
    guard let found = files.first(where: { $0.item.kind == .audio }) else { return (false, nil) }
    return (true, found.file.map { library.path($0.path).text })
  }

  /// Plays the narration at `path`, or has one made and plays it.
  ///
  /// - Parameter isOnServer: whether the server has one.
  /// - Returns: whether it was played to its end.
  /// - Throws: `ReadingError`, `ProgramError`, `CancellationError`; as `UserEngine.init`.
  func play(_ path: String?, isOnServer: Bool) async throws -> Bool {
    if let path {
      let type = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      return try Player(context, type: type).play(path)
    }
    let settings = try EngineSettings(context)
    guard settings[.speech] != nil else {
      throw ReadingError.noNarration(ref, isOnServer: isOnServer)
    }
    // Before the engine works in vain; most make WAV.
    let player = try Player(context, type: "wav")
    let engine = try await UserEngine(settings, context)
    let made = try await speak(engine)
    guard let type = AudioFile(made.bytes) else {
      throw ReadingError.engine(.unusable("it is no WAV or MP3"))
    }
    let folder = TemporaryPath.make("read")
    let path = Path.join(folder, "narration.\(type.isWAV ? "wav" : "mp3")")
    try FileSystem.makeFolder(folder, mode: 0o700)
    defer { try? FileSystem.removeTree(folder) }
    try AtomicFile.write(made.bytes, to: path, isFlushed: false)
    return try (type.isWAV ? player : Player(context, type: "mp3")).play(path)
  }

  private func speak(_ engine: UserEngine) async throws -> Narration {
    let start = context.uptime()
    let request = SpeechRequest(paragraphs: [title] + paragraphs, language: language)
    return try await context.interruptible {
      try await context.progress().ticking({
        "Waiting for the narration, \((context.uptime() - start).components.seconds) s"
      }) {
        do throws(EngineError) {
          return try await engine.speak(request)
        } catch {
          if error == .cancelled { throw CancellationError() }
          throw ReadingError.engine(error)
        }
      }
    }
  }
}

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
