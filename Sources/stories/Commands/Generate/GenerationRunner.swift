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
  ///   - refs: the records that must be on the server for it.
  ///   - name: the result in words: `a picture of heroes/luna`.
  func run(
    _ what: What, of refs: [RecordRef], what name: String,
    _ make: @escaping @Sendable (Repositories, GenerationOptions) -> Generation
  ) async throws -> ExitCode {
    let setting = try context.serverSetting(library)
    try setting.checkMedia(of: library)
    if settings.isDryRun { return tellPlan(what, refs, name, setting) }
    let access = ServerAccess(
      library: library, setting: setting, context: context, asksEngines: true)
    let repositories = Repositories(library, time: context.time, wording: .english) {
      try await access.connect($0)
    }
    let display = GenerationDisplay(context: context, name: name, server: setting.shown)
    let options = settings.options
    do {
      let result = try await context.interruptible {
        try await display.follow(make(repositories, options))
      }
      display.finish()
      await access.close()
      let text = GenerationText(
        what: what, result: result, pushed: display.pushed, library: library, context: context)
      return text.write()
    } catch {
      display.finish()
      let advised = await advise(error, display, what, refs, setting.server, repositories)
      await access.close()
      throw advised
    }
  }

  // MARK: Errors

  private func advise(
    _ error: any Error, _ display: GenerationDisplay, _ what: What, _ refs: [RecordRef],
    _ server: LibraryConfiguration.Server, _ repositories: Repositories
  ) async -> any Error {
    let isInterrupted = error is CancellationError || error as? APIError == .cancelled
    if isInterrupted {
      // The embedded server ends with the command, and unfinished work is gone completely.
      let hint =
        server == .embedded
        ? "nothing is left half done; run the same command again" : later(display, what, refs)
      return AdvisedError(error: error, hint: hint)
    }
    if case .notMade(let reason?, _)? = error as? APIError, server == .embedded {
      return AdvisedError(error: error, hint: EngineAdvice.hint(reason, what.role))
    }
    if case .placeholder? = error as? GenerationError, server == .embedded {
      return AdvisedError(error: error, hint: EngineAdvice.hint("engineNotSet", what.role))
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
    return AdvisedError(
      error: APIError.rateLimited(until: date),
      hint: (when ?? "come back later") + "; `stories usage` shows what is left")
  }

  /// Returns how to check on work that continues without this program.
  private func later(_ display: GenerationDisplay, _ what: What, _ refs: [RecordRef]) -> String {
    switch (what, display.recorded ?? refs.first) {
    case (.story, let ref?) where display.recorded != nil:
      "the server goes on; look later: stories generate illustrations \(ref.word)"
    case (.story, _): "the server may go on; take in what it wrote: stories sync pull"
    case (_, let ref?):
      "the server goes on; look later: stories generate \(what.rawValue) \(ref.word)"
    case (_, nil): "the server goes on; look later: stories sync pull"
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
    let report: Members = [
      "schema": "stories.generate/1", "dryRun": true, "what": what, "ref": refs.first,
      "pushed": first,
    ]
    context.tell(report) {
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
