public import JSONText
public import StoryLibrary

/// One thing that is not as it should be in a library, or that is worth knowing.
public struct HealthFinding: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, CaseIterable {
    /// Something is not synced until it is repaired.
    case error
    /// Worth a look; syncing goes on.
    case warning
    /// Only for completeness.
    case note
  }

  /// What it is about.
  public enum Area: String, Sendable, CaseIterable {
    /// The library as a whole.
    case library
    /// Records.
    case records
    /// Sidecars.
    case sidecars
    /// Temporary files and other remains.
    case leftovers
    /// This machine's own state in `.stories/`.
    case state
    /// What git does with the library.
    case git
  }

  /// What was found.
  public enum What: Sendable, Hashable {
    // MARK: The library

    /// The library has a version that is newer than this program.
    case newerVersion(Int)
    /// A folder that cannot be written to.
    case readOnly
    /// Something stands where a folder should; the text says what.
    case unsafe(String)
    /// A folder or file that the system does not let be read.
    case unreadable(FileError)
    /// The library could not be scanned, for a reason that has no case of its own.
    case notScanned(String)
    /// Git tracks `.stories/`.
    case stateIsTracked
    /// Git does not answer.
    case gitFailed
    /// Git does not say what a sparse checkout leaves out; the path of the file that hints at one.
    case sparseUnknown(marker: String)
    /// Git leaves a folder's sidecars out.
    case sidecarsIgnored

    // MARK: Records and sidecars

    /// A problem of a file, and what the next sync makes of it.
    case problem(Problem, Outlook?)
    /// A push would stop at it.
    case stop(SafetyStop)
    /// A sidecar without its record.
    case orphan(RecordRef)
    /// A sidecar says that its record shall be deleted, and the record is here.
    case deleteStated(RecordRef)
    /// An edit that was saved in the moment of a sync; whether the next one sends it as a new record.
    case savedBeside(isNew: Bool)
    /// A sidecar without its record whose id another sidecar has.
    case stale
    /// A temporary file of a run that was killed.
    case temporary
    /// A `.sync` folder that holds nothing.
    case emptyFolder
    /// Records with warnings.
    case odd(Int, first: RecordRef)
    /// Records with errors.
    case invalid(Int, first: RecordRef)
    /// Records in conflict.
    case conflicts(Int)
    /// A record failed at its last try.
    case failed(FailureStore.Failure)

    // MARK: This machine's own state

    /// There is no `.stories/`.
    case noState
    /// `.stories` is no folder.
    case stateIsNoFolder
    /// Others on this machine can read `.stories/`.
    case openState
    /// `.stories/.gitignore` does not keep git out.
    case notIgnored
    /// A sync is running.
    case locked(holder: String)
    /// The lock cannot be used.
    case lock(String)
    /// The journal cannot be read.
    case journal(String)
    /// A run was interrupted: writes without an answer, and files without their sidecars.
    case interrupted(writes: Int, files: Int)
    /// A file that cannot be understood.
    case damaged
    /// `pulls.json` is of another server or account.
    case otherServer
    /// `pulls.json` is of other sidecars.
    case otherSidecars
    /// A run that did not come to its end, by its name.
    case unfinishedRun(String)
    /// A text that was written in an editor and not taken over.
    case draft
  }

  /// What the next sync makes of a file with a problem.
  public enum Outlook: Sendable, Hashable {
    /// It is neither sent nor deleted.
    case neitherSentNorDeleted
    /// The record is left alone on both sides.
    case leftAlone
    /// The sidecar is made anew from the server's record.
    case rebuilt
    /// The newer of two versions is taken.
    case newerTaken
    /// It waits until somebody says which of two records it is.
    case waits
    /// What is inside takes no part.
    case hidden
    /// There is no sync.
    case noSync
  }

  /// How bad it is.
  public var severity: Severity
  /// What it is about.
  public var area: Area
  /// What was found.
  public var what: What
  /// The file or folder, relative to the library's root; `nil` for the library as a whole.
  public var file: String?
  /// The repair that needs no decision by a person; `nil` if there is none.
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

  /// The line and column in the file; `nil` if the finding concerns the whole file.
  public var position: TextPosition? {
    if case .problem(let problem, _) = what { problem.position } else { nil }
  }
}

/// A repair that needs no decision by a person and loses nothing that a person wrote.
public enum Repair: Sendable, Hashable {
  /// A sidecar in which git left two versions of one id becomes the newer of them.
  case mendSidecar(RecordRef, path: String)
  /// A sidecar goes whose record is not here and whose id another pair has.
  case dropSidecar(RecordRef)
  /// A sidecar forgets that its record shall go, for the record is here.
  case keepRecord(RecordRef)
  /// A temporary file of a run that died is removed; what somebody saved gets its name back.
  case settleLeftover(path: String)
  /// A `.sync` folder without a sidecar goes.
  case removeFolder(path: String)
  /// Nobody but this user may look into `.stories/`.
  case closeState
  /// `.stories/.gitignore` keeps git out again.
  case ignoreState
  /// A file of this machine's own state that cannot be read goes; the next run makes it anew.
  case dropState(path: String)
}
