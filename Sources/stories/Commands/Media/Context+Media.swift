import JSONText
import StoryLibrary
import StoryMedia
import StorySync
import Synchronization

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
    let access = ServerAccess(library: library, setting: setting, context: self)
    let media = Repositories(library, time: time, wording: .english) {
      try await access.connect($0)
    }.media
    if isDryRun { return try media.plan(refs) }
    let progress = progress()
    return try await access.closing {
      defer { progress.finish() }
      return try await interruptible {
        let latest = Mutex(MediaProgress?.none)
        let ticker = progress.startTicking {
          latest.withLock { $0 }?.words ?? "Looking for files"
        }
        defer { ticker?.cancel() }
        return try await media.pull(refs, bounds: bounds) { told in latest.withLock { $0 = told } }
      }
    }
  }

  func writeFailures(of report: MediaReport) {
    for failure in report.failed {
      let words = ErrorReport(failure.error, in: self)
      errors.line(
        Text("Error: ", .error)
          + Text("\(failure.item.kind.noun) of \(failure.item.ref): ", .strong)
          + Text(words.message))
      if let hint = (failure.error as? MediaFailure)?.hint ?? words.hint {
        errors.line(Text("  Hint: \(hint)", .faint))
      }
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
