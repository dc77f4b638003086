import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
import Synchronization

/// Runs one `stories generate`: requests, shows progress, and reports the result.
struct GenerationRunner: Sendable {
  enum What: String, Sendable, Encodable {
    case story, avatar, audio, illustrations

    /// The server's name for this work in its usage limits.
    var operation: String {
      self == .illustrations ? "illustration_generation" : "\(rawValue)_generation"
    }
  }

  let opened: OpenLibrary
  private let settings: GenerationSettings

  private var context: Context { opened.context }
  private var library: Library { opened.library }

  /// Creates a runner for the command's library.
  init(_ context: Context, _ settings: GenerationSettings) throws {
    opened = try OpenLibrary(context, isWritten: true)
    self.settings = settings
  }

  /// Generates something and reports the result.
  ///
  /// - Parameters:
  ///   - refs: the records that must be on the server for it, at least one.
  ///   - name: the result in words: `a picture of heroes/luna`.
  ///   - extras: what is made for a new story once it is written.
  func run(
    _ what: What, of refs: [RecordRef], what name: String, then extras: [What] = [],
    _ make: @escaping @Sendable (Repositories, GenerationOptions) -> Generation
  ) async throws -> ExitCode {
    let setting = try context.serverSetting(library)
    try setting.checkMedia(of: library)
    if settings.isDryRun { return tellPlan(what, refs, name, setting) }
    let display = GenerationDisplay(context: context, name: name, server: setting.shown)
    let options = settings.options
    let result = try await context.withServer(setting, of: library, asksEngines: true) { connect in
      let repositories = Repositories(
        library, time: context.time, wording: .english, connect: connect)
      do {
        return try await context.interruptible {
          try await display.follow(make(repositories, options))
        }
      } catch {
        throw await advise(error, display, what, refs, extras, setting.server, repositories)
      }
    }
    let text = GenerationText(
      what: what, result: result, pushed: display.seen.pushed, overridden: display.seen.overridden,
      library: library, context: context)
    return text.write()
  }

  // MARK: Errors

  private func advise(
    _ error: any Error, _ display: GenerationDisplay, _ what: What, _ refs: [RecordRef],
    _ extras: [What], _ server: LibraryConfiguration.Server, _ repositories: Repositories
  ) async -> any Error {
    let isInterrupted = error is CancellationError || error as? APIError == .cancelled
    if let ref = display.seen.recorded, !(error is GenerationError) {
      let commands = extras.map { "stories generate \($0.rawValue) \(ref.word)" }
      let lead =
        isInterrupted && server != .embedded && !commands.isEmpty
        ? "the server goes on; look later" : "\(ref) is saved; continue with"
      let rest = commands.isEmpty ? "stories sync push" : commands.joined(separator: "; then: ")
      return error.advised("\(lead): \(rest)")
    }
    if isInterrupted {
      // The embedded server ends with the command, and unfinished work is gone completely.
      let later =
        what == .story
        ? "the server may go on; take in what it wrote: stories sync pull"
        : "the server goes on; look later: stories generate \(what.rawValue) \(refs[0].word)"
      return error.advised(
        server == .embedded ? "nothing is left half done; run the same command again" : later)
    }
    if case .notMade(let reason?, _)? = error as? APIError, server == .embedded {
      return error.advised(EngineAdvice.hint(reason, what.role))
    }
    if case .placeholder? = error as? GenerationError, server == .embedded {
      return error.advised(EngineAdvice.hint("engineNotSet", what.role))
    }
    if what == .story, display.seen.hasAsked, let hint = hint(afterAsking: error) {
      return error.advised(hint)
    }
    guard case .rateLimited(let until)? = error as? APIError else { return error }
    var date = until
    if date == nil {
      let usage = try? await repositories.user.usage(policy: .networkOnly).value
      date = usage?.first { $0.operation == what.operation }?.resetAt
    }
    let now = context.time.now()
    let when = date.map { date in
      "come back in \(Phrases.span(date.duration(since: now))), at \(date.wire)"
    }
    return APIError.rateLimited(until: date).advised(
      (when ?? "come back later") + "; `stories usage` shows what is left")
  }

  /// Returns how not to have a story written twice, or `nil` if the error is advice enough.
  private func hint(afterAsking error: any Error) -> String? {
    switch error {
    case is GenerationError: nil
    case let error as APIError:
      error.hasLostAnswer
        ? "the server may have written a story; see before you run this again: stories sync pull"
        : nil
    default:
      "the server has written the story; receive it instead of running this again: stories sync pull"
    }
  }

  // MARK: Dry run

  private func tellPlan(
    _ what: What, _ refs: [RecordRef], _ name: String, _ setting: ServerSetting
  ) -> ExitCode {
    let first = refs.filter { ref in
      guard let entry = opened.scan.entry(ref) else { return false }
      return entry.id == nil || entry.state == .pendingUpdate
    }
    context.tell([
      "schema": "stories.generate/1", "dryRun": true, "what": what, "ref": refs.first,
      "pushed": first,
    ]) {
      for ref in first {
        context.output.line(
          settings.staysLocal
            ? "Would not send \(ref), which is not on \(setting.shown) as it is here."
            : "Would send \(ref) to \(setting.shown) first.")
      }
      context.output.line("Would ask \(setting.shown) for \(name). Dry run: nothing was changed.")
    }
    return .done
  }
}

struct GenerationText: Sendable {
  let what: GenerationRunner.What
  let result: GenerationResult
  let pushed: [RecordRef]
  let overridden: [SyncReport.Overridden]
  let library: Library
  let context: Context

  func write() -> ExitCode {
    context.tell(self) { writeText() }
    if result.isPlaceholder, !context.isJSON { context.notePlaceholder(result.ref.kind) }
    writeFailures()
    return result.hasFailed || result.isStillUnderWay ? .failed : .done
  }

  private var path: String { context.shown(result.ref.path, in: library) }

  private func writeText() {
    let pull = context.runnable("stories media pull \(result.ref.word)")
    switch what {
    case .story:
      context.output.line(Text(path))
      if hasFiles { context.aside("Its files come with: \(pull)") }
    case .avatar, .audio, .illustrations:
      let noun =
        switch what {
        case .avatar: "picture"
        case .audio: "narration"
        default: "pictures"
        }
      if result.existed {
        context.output.line(
          "\(result.ref) has its \(noun) already; --regenerate has it made again.")
      } else if !result.hasFailed, !result.isStillUnderWay {
        context.output.line("\(result.ref) has its \(noun) now\(detail). Fetch: \(pull)")
      } else if let pictures = result.pictures {
        context.output.line("\(result.ref): \(GenerationDisplay.counts(pictures))")
      }
    }
  }

  private var hasFiles: Bool {
    result.audio?.state == .completed || (result.pictures?.completed ?? 0) > 0
  }

  private var detail: String {
    if let pictures = result.pictures { return " (\(pictures.completed))" }
    guard let audio = result.audio else { return "" }
    let parts = [
      audio.duration.map { Phrases.time(.seconds($0)) }, audio.voice.map { "voice \($0)" },
    ].compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  private func writeFailures() {
    context.output.sink.flush()
    let errors = context.errors
    for item in result.pictures?.items ?? [] where item.state == .failed {
      let why = item.error.map { ": \(ServerText.shown($0))" } ?? ""
      errors.line(
        Text("Error: ", .error) + Text("picture \(item.displayOrder) could not be made\(why)"))
    }
    if result.audio?.state == .failed {
      let why = result.audio?.error.map { ": \(ServerText.shown($0))" } ?? ""
      errors.line(Text("Error: ", .error) + Text("the narration could not be made\(why)"))
    }
    if result.hasFailed {
      let command =
        result.pictures?.failed ?? 0 > 0 || what != .story ? retryWord : "audio"
      let hint = context.runnable("try again: stories generate \(command) \(result.ref.word)")
      errors.line(Text("Hint: ", .strong) + Text(hint))
    }
    if result.isStillUnderWay {
      errors.line(
        Text("The server is still working. ")
          + Text(context.runnable("Check later: stories generate \(retryWord) \(result.ref.word)")))
    }
  }

  private var retryWord: String {
    switch what {
    case .story: result.pictures == nil ? "audio" : "illustrations"
    default: what.rawValue
    }
  }
}

extension GenerationText: MemberEncodable {
  var members: Members {
    [
      "schema": "stories.generate/1", "dryRun": false, "what": what, "ref": result.ref,
      "file": result.ref.path, "path": path, "wasThere": result.existed,
      "underWay": result.isStillUnderWay, "placeholder": result.isPlaceholder, "pushed": pushed,
      "overridden": overridden.filled,
      "audio": result.audio, "illustrations": result.pictures,
    ]
  }
}

extension AudioAnswer: MemberEncodable {
  var members: Members { ["status": state, "duration": duration, "voice": voice, "error": error] }
}

extension IllustrationProgress: MemberEncodable {
  var members: Members {
    [
      "status": state, "total": total, "completed": completed, "failed": failed,
      "pending": pending + processing, "pictures": items,
    ]
  }
}

extension IllustrationProgress.Item: MemberEncodable {
  var members: Members { ["id": id, "order": displayOrder, "status": state, "error": error] }
}
