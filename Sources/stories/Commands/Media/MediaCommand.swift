import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
import Synchronization

struct MediaCommand: CommandFamily {
  static let name = "media"
  static let summary = "Fetch, list and prune avatars, narrations and illustrations"
  static let discussion = """
    The files are in .stories/media, named after their records. You can remove them at any time \
    and fetch them again. Nothing is fetched until you ask for it.
    """
  static let examples = [
    Example("stories media pull", "all files of all records"),
    Example("stories media pull stories/first-snow", "the narration and pictures of one story"),
  ]
  static let subcommands: [any Command.Type] = [
    MediaPullCommand.self, MediaListCommand.self, MediaPruneCommand.self,
  ]
}

struct MediaListCommand: Command {
  static let name = "list"
  static let summary = "List the files on this machine"
  static let discussion =
    "Shows the kind and size of each file, when it was last used, and its record."

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let now = context.time.now()
    let files = try context.localMedia(of: library).files().map { file, ref in
      (file: file, ref: ref, age: max(.zero, now.duration(since: file.usedAt)))
    }
    let total = files.reduce(0) { $0 + $1.file.size }
    context.tell([
      "schema": "stories.media-list/1",
      "files": files.map { file, ref, age in
        file.members(of: ref) + ["usedAt": file.usedAt, "ageSeconds": age.wholeSeconds]
      }, "size": total,
    ]) {
      guard !files.isEmpty else {
        let hasMedia = (try? context.serverSetting(library).checkMedia(of: library)) != nil
        let pull = hasMedia ? " Fetch them: stories media pull" : ""
        return context.output.line(context.runnable(Text("No files on this machine." + pull)))
      }
      var table = Table(indent: 0)
      for (file, ref, age) in files {
        let days = Int(age.components.seconds / 86_400)
        table.add(
          Text(file.kind.noun), Text(Phrases.size(file.size)),
          Text(days > 0 ? Phrases.count(days, "day") : Phrases.span(age)),
          Text(ref.description, .strong))
      }
      table.write(to: context.output)
      context.output.line()
      context.output.line("\(Phrases.count(files.count, "file")), \(Phrases.size(total)).")
    }
    return .done
  }
}

extension Context {
  /// Returns the media of a library for what needs no server.
  func localMedia(of library: Library) -> MediaRepository {
    Repositories(library, time: time) { _ in throw CommandError.noServer }.media
  }

  /// Fetches missing files from the library's server, with progress, until done or interrupted.
  ///
  /// - Parameter bounds: The limits for pruning afterwards, or `nil` to keep everything.
  func pullMedia(
    of refs: [RecordRef]?, in library: Library, bounds: MediaBounds? = MediaBounds(),
    isDryRun: Bool = false
  ) async throws -> MediaReport {
    let setting = try serverSetting(library)
    try setting.checkMedia(of: library)
    return try await withServer(setting, of: library) { connect in
      let media = Repositories(library, time: time, wording: .english, connect: connect).media
      if isDryRun { return try media.plan(refs) }
      let progress = progress()
      return try await interruptible {
        let latest = Mutex(MediaProgress?.none)
        return try await progress.ticking({
          latest.withLock { $0 }?.words ?? "Looking for files"
        }) {
          try await media.pull(refs, bounds: bounds) { told in latest.withLock { $0 = told } }
        }
      }
    }
  }

  func writeFailures(of report: MediaReport) {
    for failure in report.failed {
      writeFailure(
        of: "\(failure.item.kind.noun) of \(failure.item.ref)",
        ErrorReport(failure.error, in: self).message, hint: failure.hint(in: self))
    }
  }

  /// Returns the exit code for the files that could not be fetched.
  ///
  /// - Throws: `CancellationError` if the pull was interrupted.
  func exitCode(of report: MediaReport) throws -> ExitCode {
    if report.isInterrupted { throw CancellationError() }
    return .worst(report.failed.map { ErrorReport($0.error, in: self).exitCode })
  }
}

extension MediaProgress {
  /// The progress of a pull: `Fetching 3 of 12, 4.2 MB, 1.3 MB/s, 12 s left`.
  fileprivate var words: String {
    let number = min(filesDone + 1, filesTotal)
    var parts = ["Fetching \(number) of \(filesTotal)", Phrases.size(bytes)]
    if let speed { parts.append("\(Phrases.size(Int(speed)))/s") }
    if let timeLeft { parts.append("\(Phrases.span(timeLeft)) left") }
    return parts.joined(separator: ", ")
  }
}

extension MediaFile {
  /// The file of a record as a member of JSON documents.
  func members(of ref: RecordRef) -> Members {
    ["ref": ref, "kind": kind, "path": path, "size": size]
  }
}
