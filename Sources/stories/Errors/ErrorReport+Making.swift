import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync

extension GenerationError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .notOnServer(let ref):
      .misuse(
        "generation", "the server does not have \(ref) yet",
        hint: "send it: stories sync push, or leave out --no-push")
    case .notSent(let ref, let reason):
      .init(
        "generation", "\(ref) could not be sent first: \(reason.words)",
        hint: "see why: stories why \(ref.word)")
    case .placeholder(let ref):
      .init(
        "generation", "no engine writes stories, so \(ref) stays as it is",
        hint: "set an engine on the server, then run the same command again")
    case .changedMeanwhile(let ref, let kept):
      .init(
        "generation", "\(ref) was changed meanwhile, so it stays as it is; the new text is \(kept)",
        hint: "keep what you like of both, then remove the other: stories rm \(kept.word)")
    case .textNotSent(let ref, .isInConflict):
      .init(
        "generation", "\(ref) has its new text, but it is in conflict with the server's",
        hint: "choose a version with `stories resolve \(ref.word)`", exitCode: .conflictsLeft)
    case .textNotSent(let ref, let reason):
      .init(
        "generation", "\(ref) has its new text, but it could not be sent: \(reason.words)",
        hint: "see why: stories why \(ref.word)")
    case .copyNotDeleted(let ref, let id):
      .init(
        "generation",
        "\(ref) has its new text, but the story that it was written as may still be on the"
          + " server: \(ServerText.shown(id))",
        hint: "if `stories sync pull` receives it as a new story, remove that one: stories rm")
    case .answerLost:
      .init(
        "generation", "the answer was lost, and the server shows nothing new",
        hint: "try later: stories sync pull")
    case .severalMade(let count):
      .init(
        "generation", "the answer was lost, and the server has \(count) new stories of this hero",
        hint: "try later: stories sync pull")
    }
  }
}

extension MediaFailure: ReportedError {
  func report(in context: Context) -> ErrorReport {
    guard self != .locked else {
      return LibraryError.locked(holder: "another `stories media`").report(in: context)
    }
    return .init("media", message, hint: hint())
  }

  var message: String {
    switch self {
    case .locked: "Another process is fetching or pruning."
    case .noAddress: "The server has no such file, or only at an address that is not trusted."
    case .refused: "The server gives an address for the file, but refuses to send it."
    case .wrongType(let type): "The server sent “\(ServerText.shown(type, limit: 80))” instead."
    case .wrongAnswer(let what): "The server sent \(what)."
    case .tooLarge(let limit): "The file is larger than \(limit >> 20) MiB."
    }
  }

  /// Returns the advice, or `nil` if nothing is known to help.
  func hint(remaking command: String = "stories generate") -> String? {
    switch self {
    case .noAddress: "pull the server's current records: stories sync pull"
    case .refused, .wrongType, .wrongAnswer: "try again later, or make it again: \(command)"
    case .locked, .tooLarge: nil
    }
  }
}

extension MediaReport.Failure {
  /// Returns the advice, with the command that makes this file again.
  func hint(in context: Context) -> String? {
    guard let failure = error as? MediaFailure else { return ErrorReport(error, in: context).hint }
    let words =
      switch item.kind {
      case .avatars: "avatar \(item.ref.word)"
      case .audio: "audio \(item.ref.word)"
      case .illustrations:
        "illustrations \(ShellWord.quoting("stories/" + Path.parent(item.ref.name)))"
      }
    return failure.hint(remaking: "stories generate \(words) --regenerate").map(context.runnable)
  }
}

extension GenerationError.NotSent {
  fileprivate var words: String {
    switch self {
    case .hasEdits: "it has edits that the server does not have"
    case .isDraft: "it is a draft, which has no text yet"
    case .isInConflict: "it is in conflict"
    case .failed(let failure): failure.message
    }
  }
}
