import StoryLibrary
import StoryServer

/// The reason why a story cannot be read, or not aloud.
enum ReadingError: Error, Sendable, Equatable {
  case noText(RecordRef)
  /// No narration is on this machine, and no engine reads aloud; the server may have a narration.
  case noNarration(RecordRef, isOnServer: Bool)
  case engine(EngineError)
  /// No program on this machine plays files of this type, such as `WAV`.
  case noPlayer(type: String)
}

extension ReadingError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .noText(let ref):
      .init("no-text", "\(ref) has no text yet", hint: "write it: stories edit \(ref.word)")
    case .noNarration(let ref, let isOnServer):
      .init(
        "no-narration",
        "there is no narration of \(ref) on this machine, and no engine that reads aloud",
        hint: isOnServer
          ? "fetch it: stories media pull \(ref.word)"
          : EngineAdvice.hint("engineNotSet", .speech))
    case .engine(let error):
      .init("engine", error.message, hint: EngineAdvice.hint(error.code, .speech))
    case .noPlayer(let type):
      .init(
        "no-player", "no program on this machine plays \(type) files",
        hint: "install mpv, or name a program: STORIES_PLAYER='play -q' stories …")
    }
  }
}
