import Foundation
import StoryAPI
import StoryLibrary
import StoryMedia
import StoryServer
import StorySync

/// Reads a story aloud: its narration on this machine, else one that the user's engine makes.
struct Narrator: Sendable {
  let ref: RecordRef
  let title: String
  let paragraphs: [String]
  let language: String
  let library: Library
  let context: Context

  /// The story's narration, as far as it is known.
  struct File: Sendable {
    /// The path of the file on this machine, or `nil`.
    var path: String?
  }

  /// Returns the narration that the server has, or `nil` if it has none.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  func file() throws -> File? {
    let media = Repositories(library, time: context.time) { _ in throw CommandError.noServer }.media
    guard let found = try media.use([ref]).first(where: { $0.item.kind == .audio }) else {
      return nil
    }
    return File(path: found.file.map { library.path($0.path).text })
  }

  /// Plays the narration, or has one made and plays it.
  ///
  /// - Returns: whether it was played to its end.
  /// - Throws: `ReadingError`, `ProgramError`, `CancellationError`; as `UserEngine.init`.
  func play(_ narration: File?) async throws -> Bool {
    if let path = narration?.path {
      let type = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      return try Player(context, type: type).play(path)
    }
    let settings = try EngineSettings(context)
    guard settings[.speech] != nil else {
      throw ReadingError.noNarration(ref, isOnServer: narration != nil)
    }
    // Before the engine works in vain; most make WAV.
    let player = try Player(context, type: "wav")
    let engine = try await UserEngine(settings, context)
    let made = try await speak(engine)
    guard let type = AudioFile(made.bytes) else {
      throw ReadingError.engine(.unusable("it is no WAV or MP3"))
    }
    let folder = NSTemporaryDirectory() + "stories-read-" + RandomKey.make()
    let path = Path.join(folder, "narration.\(type.isWAV ? "wav" : "mp3")")
    try FileSystem.makeFolder(folder, mode: 0o700)
    defer { try? FileSystem.removeTree(folder) }
    try AtomicFile.write(made.bytes, to: path, isFlushed: false)
    return try (type.isWAV ? player : Player(context, type: "mp3")).play(path)
  }

  private func speak(_ engine: UserEngine) async throws -> Narration {
    let start = context.uptime()
    let progress = context.progress()
    defer { progress.finish() }
    let request = SpeechRequest(paragraphs: [title] + paragraphs, language: language)
    return try await context.interruptible {
      let ticker = progress.startTicking {
        "Waiting for the narration, \((context.uptime() - start).components.seconds) s"
      }
      defer { ticker?.cancel() }
      do throws(EngineError) {
        return try await engine.speak(request)
      } catch {
        if error == .cancelled { throw CancellationError() }
        throw ReadingError.engine(error)
      }
    }
  }
}
