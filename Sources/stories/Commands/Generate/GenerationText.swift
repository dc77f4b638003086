import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync

struct GenerationText: Sendable {
  let what: GenerationRunner.What
  let result: GenerationResult
  let pushed: [RecordRef]
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
      if hasFiles { context.note(Text("Its files come with: \(pull)", .faint)) }
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
          + Text(
            context.runnable("Check later: stories generate \(retryWord) \(result.ref.word)")))
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
      "audio": result.audio, "illustrations": result.pictures,
    ]
  }
}

extension AudioAnswer: MemberEncodable {
  var members: Members {
    ["status": state, "duration": duration, "voice": voice, "error": error]
  }
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
  var members: Members {
    ["id": id, "order": displayOrder, "status": state, "error": error]
  }
}
