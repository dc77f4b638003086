public import JSONText
public import StoryLibrary

/// A diagnostic of a library: a problem, or something worth knowing.
public struct Diagnostic: Sendable, Hashable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, CaseIterable {
    /// Something is not synced until it is repaired.
    case error
    /// Worth a look; syncing goes on.
    case warning
    /// For information only.
    case note
  }

  /// The part of the library that a diagnostic is about.
  public enum Area: String, Sendable, CaseIterable {
    /// The library as a whole.
    case library
    /// Records.
    case records
    /// Sidecars.
    case sidecars
    /// Stale temporary files and the like.
    /// The raw value is part of `stories.doctor/1`.
    case staleFiles = "leftovers"
    /// The state in `.stories/`, local to this machine.
    case state
    /// Git's handling of the library.
    case git
  }

  /// The problem or fact.
  public enum What: Sendable, Hashable {
    // MARK: The library

    /// The library's version is newer than this program supports.
    case newerVersion(Int)
    /// A folder is not writable.
    case readOnly
    /// Something else is in the place of a folder; the text says what.
    case unsafe(String)
    /// A folder or file cannot be read.
    case unreadable(FileError)
    /// The library could not be scanned, for a reason without a case of its own.
    case notScanned(String)
    /// Git tracks `.stories/`.
    case stateIsTracked
    /// Git does not answer.
    case gitFailed
    /// Git does not say what a sparse checkout leaves out; the path of the file that suggests one.
    case sparseUnknown(marker: String)
    /// Git ignores a folder's sidecars.
    case sidecarsIgnored

    // MARK: Records and sidecars

    /// A problem of a file, and what the next sync does with it.
    case problem(Problem, Outlook?)
    /// A sidecar without its record.
    case orphan(RecordRef)
    /// A sidecar requests the delete of its record, but the record is present.
    case deleteStated(RecordRef)
    /// An edit that was saved during a sync; whether the next sync sends it as a new record.
    case savedBeside(isNew: Bool)
    /// A sidecar without its record, whose id is also in another sidecar.
    case stale
    /// A stale temporary file.
    case temporary
    /// An empty `.sync` folder.
    case emptyFolder
    /// Records with warnings.
    case odd(Int, first: RecordRef)
    /// Records with errors.
    case invalid(Int, first: RecordRef)
    /// Records in conflict.
    case conflicts(Int)
    /// A record failed at its last try.
    case failed(FailureStore.Failure)

    // MARK: Local state

    /// There is no `.stories/`.
    case noState
    /// `.stories` is not a folder.
    case stateIsNoFolder
    /// Other users of this machine can read `.stories/`.
    case openState
    /// `.stories/.gitignore` does not make git ignore the folder.
    case notIgnored
    /// A sync is running.
    case locked(holder: String)
    /// The lock cannot be used.
    case lock(String)
    /// The journal cannot be read.
    case journal(String)
    /// A run was interrupted: unconfirmed writes, and files without their sidecars.
    case interrupted(writes: Int, files: Int)
    /// A file cannot be parsed.
    case damaged
    /// `pulls.json` belongs to another server or account.
    case otherServer
    /// `pulls.json` belongs to other sidecars.
    case otherSidecars
    /// A run that did not finish, by its name.
    case unfinishedRun(String)
    /// A text from an editor that was not applied.
    case draft
  }

  /// The next sync's treatment of a file with a problem.
  public enum Outlook: Sendable, Hashable {
    /// It is neither sent nor deleted.
    case neitherSentNorDeleted
    /// The record is not synced.
    case leftAlone
    /// The sidecar is rebuilt from the server's record.
    case rebuilt
    /// The newer of two versions is taken.
    case newerTaken
    /// It waits for a person to choose one of two records.
    case waits
    /// The folder's contents are not synced.
    case hidden
    /// No sync is possible.
    case noSync
  }

  /// The severity.
  public var severity: Severity
  /// The part of the library.
  public var area: Area
  /// The problem or fact.
  public var what: What
  /// The file or folder, relative to the library's root, or `nil` for the library as a whole.
  public var file: String?
  /// The repair that needs no decision by a person, or `nil`.
  public var repair: Repair?

  init(
    _ severity: Severity, _ area: Area, _ what: What, file: String? = nil, repair: Repair? = nil
  ) {
    self.severity = severity
    self.area = area
    self.what = what
    self.file = file
    self.repair = repair
  }

  init(_ problem: Problem, _ area: Area, outlook: Outlook? = nil, repair: Repair? = nil) {
    self.init(
      problem.severity == .error ? .error : .warning, area, .problem(problem, outlook),
      file: problem.file, repair: repair)
  }

  /// The line and column in the file, or `nil` for the file as a whole.
  public var position: TextPosition? {
    if case .problem(let problem, _) = what { problem.position } else { nil }
  }
}

/// A repair that needs no decision by a person and loses nothing that people wrote.
public enum Repair: Sendable, Hashable {
  /// Merges a sidecar in which git left two versions of one id into the newer one.
  case repairSidecar(RecordRef, path: String)
  /// Removes a sidecar without its record whose id another pair has.
  case dropSidecar(RecordRef)
  /// Withdraws a requested delete, because the record is present.
  case keepRecord(RecordRef)
  /// Removes a stale temporary file; an edit in it gets its name back.
  case settleStaleFile(path: String)
  /// Removes a `.sync` folder without sidecars.
  case removeFolder(path: String)
  /// Makes `.stories/` private to this user.
  case closeState
  /// Rewrites `.stories/.gitignore`.
  case ignoreState
  /// Removes an unreadable file of the local state; the next run creates it again.
  case dropState(path: String)

  /// Returns the repair of a temporary file, or `nil` if its purpose is unknown.
  static func settling(_ path: String) -> Repair? {
    StaleFiles.canSettle(Path.name(path)) ? .settleStaleFile(path: path) : nil
  }
}
