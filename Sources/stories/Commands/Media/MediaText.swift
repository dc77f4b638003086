import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync

/// The results of the media commands for people and programs.
struct MediaText: Sendable {
  let context: Context
  let library: Library

  // MARK: Pull

  /// Returns the progress of a pull: `Fetching 3 of 12, 4.2 MB, 1.3 MB/s, 12 s left`.
  static func progress(_ progress: MediaProgress) -> String {
    let number = min(progress.filesDone + 1, progress.filesTotal)
    var parts = ["Fetching \(number) of \(progress.filesTotal)", Phrases.size(progress.bytes)]
    if let speed = progress.speed { parts.append("\(Phrases.size(Int(speed)))/s") }
    if let left = progress.timeLeft { parts.append("\(Phrases.span(left)) left") }
    return parts.joined(separator: ", ")
  }

  func write(_ report: MediaReport) {
    if context.isJSON { return context.output.json(members(of: report)) }
    for (item, file) in report.fetched {
      let path = file.map { context.shown($0.path, in: library) }
      if report.isDryRun {
        context.output.line("\(item.kind.noun) of \(item.ref)")
      } else if let path {
        context.output.line(Text(path))
      }
    }
    if !context.global.isQuiet, let summary = summary(report) { context.note(Text(summary)) }
    context.output.sink.flush()
    writeFailures(of: report)
    if let pruned = report.pruned, !pruned.removed.isEmpty {
      context.note(
        "Pruned \(Phrases.count(pruned.removed.count, "file")) that were not used for a while.")
    }
  }

  /// Writes which files could not be fetched, and why.
  func writeFailures(of report: MediaReport) {
    for failure in report.failed {
      let words = ErrorReport(failure.error, in: context)
      context.errors.line(
        Text("Error: ", .error)
          + Text("\(failure.item.kind.noun) of \(failure.item.ref): ", .strong)
          + Text(words.message))
      if let hint = hint(failure.error) ?? words.hint {
        context.errors.line(Text("  Hint: \(hint)", .faint))
      }
    }
  }

  private func hint(_ error: any Error) -> String? { (error as? MediaFailure)?.hint }

  private func summary(_ report: MediaReport) -> String? {
    if report.isDryRun {
      return "\(Phrases.count(report.fetched.count, "file")) would be fetched,"
        + " \(report.present.count) already on this machine. Dry run: nothing was changed."
    }
    if report.fetched.isEmpty, report.failed.isEmpty, !report.isInterrupted {
      return report.present.isEmpty
        ? "No record has a file on the server. Have one made: stories generate avatar HERO"
        : "Everything is already on this machine: \(Phrases.count(report.present.count, "file"))."
    }
    var text =
      "Fetched \(Phrases.count(report.fetched.count, "file")), \(Phrases.size(report.bytes))"
    if !report.present.isEmpty { text += "; \(report.present.count) already on this machine" }
    return text + "."
  }

  private func members(of report: MediaReport) -> Members {
    [
      "schema": "stories.media-pull/1", "dryRun": report.isDryRun,
      "fetched": report.fetched.map { item, file in
        file.map { Self.members(of: $0, item.ref) } ?? ["ref": item.ref, "kind": item.kind]
      },
      "present": report.present.map { Self.members(of: $0.file, $0.item.ref) },
      "failed": report.failed.map { failure -> Members in
        let words = ErrorReport(failure.error, in: context)
        let error: Members = [
          "message": words.message, "hint": hint(failure.error) ?? words.hint,
        ]
        return ["ref": failure.item.ref, "kind": failure.item.kind, "error": error]
      }, "bytes": report.bytes, "interrupted": report.isInterrupted,
      "pruned": Omitted(report.pruned?.removed.map { Self.members(of: $0.file, $0.file.ref) }),
    ]
  }

  /// Returns a file as a member of JSON documents.
  static func members(of file: MediaFile, _ ref: RecordRef) -> Members {
    ["ref": ref, "kind": file.kind, "path": file.path, "size": file.size]
  }

  // MARK: Prune

  func write(_ prune: MediaPrune) {
    if context.isJSON { return context.output.json(prune) }
    for removal in prune.removed {
      let why = removal.reason == .age ? "not used for a while" : "over the limit"
      context.output.line(
        Text(context.shown(removal.file.path, in: library)) + Text("  \(why)", .faint))
    }
    for file in prune.inUse {
      context.note("\(context.shown(file.path, in: library)) is in use and was kept.")
    }
    let size = prune.removed.reduce(0) { $0 + $1.file.size }
    let verb = prune.isDryRun ? "would be removed" : "removed"
    context.output.line(
      "\(Phrases.count(prune.removed.count, "file")) \(verb), \(Phrases.size(size)); "
        + "\(Phrases.count(prune.keptCount, "file")) kept, \(Phrases.size(prune.keptSize)).")
  }
}

extension MediaPrune: MemberEncodable {
  /// The prune as `stories.media-prune/1`.
  var members: Members {
    [
      "schema": "stories.media-prune/1", "dryRun": isDryRun,
      "removed": removed.map {
        MediaText.members(of: $0.file, $0.file.ref) + ["reason": $0.reason]
      },
      "inUse": inUse.map { MediaText.members(of: $0, $0.ref) }, "kept": keptCount,
      "keptSize": keptSize,
    ]
  }
}
