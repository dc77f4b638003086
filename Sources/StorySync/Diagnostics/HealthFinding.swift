public import JSONText
public import StoryLibrary

/// One thing that is not as it should be in a library, or that is worth knowing.
public struct HealthFinding: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, CaseIterable {
    /// Something does not take part in syncing until somebody mends it.
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

  /// How bad it is.
  public var severity: Severity
  /// What it is about.
  public var area: Area
  /// What it is in one word, for scripts.
  public var code: String
  /// The file or folder, relative to the library's root; `nil` for the library as a whole.
  public var file: String?
  /// The place in the file; `nil` where the file as a whole is meant.
  public var position: TextPosition?
  /// What was found, for people.
  public var message: String
  /// What the next sync makes of it; `nil` where the message says it.
  public var outlook: String?
  /// What to do about it; `nil` where there is nothing to do.
  public var hint: String?
  /// What mends it without a person's decision; `nil` where nothing does.
  public var repair: Repair?

  init(
    _ severity: Severity, _ area: Area, _ code: String, file: String? = nil, _ message: String,
    outlook: String? = nil, hint: String? = nil, repair: Repair? = nil
  ) {
    self.severity = severity
    self.area = area
    self.code = code
    self.file = file
    self.message = message
    self.outlook = outlook
    self.hint = hint
    self.repair = repair
  }

  init(_ problem: Problem, _ area: Area, outlook: String? = nil, repair: Repair? = nil) {
    self.init(
      problem.severity == .error ? .error : .warning, area, problem.code.rawValue,
      file: problem.file, problem.message, outlook: outlook, hint: problem.hint, repair: repair)
    position = problem.position
  }
}

/// Something that can be mended without anybody's decision, and without the loss of anything that a
/// person wrote.
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

  /// What is done, as a phrase.
  public var words: String {
    switch self {
    case .mendSidecar(_, let path): "take the newer of the two versions in \(path)"
    case .dropSidecar(let ref): "remove \(ref.sidecarPath), kept in a run"
    case .keepRecord(let ref): "let \(ref.sidecarPath) forget that \(ref) shall go"
    case .settleLeftover(let path):
      "clear away \(path); if somebody's edit is in it, the edit gets its name back"
    case .removeFolder(let path): "remove the empty folder \(path)"
    case .closeState: "close .stories/ to everybody else"
    case .ignoreState: "write .stories/.gitignore, which keeps git out"
    case .dropState(let path): "remove \(path), which the next sync makes anew"
    }
  }
}
