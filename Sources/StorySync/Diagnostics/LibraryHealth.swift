public import StoryLibrary

/// The diagnostics of a library: everything broken, odd or stale, without asking a server.
///
/// This changes nothing, except that a missing `.stories/.gitignore` is written again; the
/// library's lock is only tested.
public struct LibraryHealth: Sendable {
  /// The diagnostics, most severe first within each area.
  public var diagnostics: [Diagnostic] = []
  /// The number of records in each state that occurs.
  public var counts: [RecordState: Int] = [:]
  /// The figures of the local state.
  public var state = StateFigures()
  /// Whether the library is in a git repository.
  public var isInGit = false

  /// The figures of `.stories/`.
  public struct StateFigures: Sendable, Hashable {
    /// The number of kept runs.
    public var runs = 0
    /// Their size in bytes.
    public var runBytes = 0
    /// The number of journal entries left open by an interrupted run.
    public var openEntries = 0
    /// The number of records that failed at their last sync.
    public var failures = 0
    /// The process that is syncing the library now, or `nil`.
    public var holder: String?
  }

  /// Examines a library.
  ///
  /// An error that prevents the scan is a diagnostic too, then the only one about records.
  /// - Parameters:
  ///   - library: the library.
  ///   - repository: its repository, or `nil`.
  public init(_ library: Library, repository: GitRepository?) {
    isInGit = repository != nil
    var scan: Scan?
    do {
      var scanner = Scanner(library)
      // Examines what the files contain, and writes nothing.
      scanner.usesIndex = false
      repository?.describe(to: &scanner)
      scan = try scanner.scan()
    } catch {
      diagnostics.append(Self.diagnostic(of: error, in: library))
    }
    diagnostics += LibraryExaminer(library: library, repository: repository).diagnostics(scan)
    if let scan {
      counts = scan.counts
      diagnostics += RecordExaminer(library: library, scan: scan).diagnostics
    }
    var examiner = StateExaminer(library: library, scan: scan)
    diagnostics += examiner.examine()
    state = examiner.figures
    let order = Diagnostic.Severity.allCases
    diagnostics = Diagnostic.Area.allCases.flatMap { area in
      order.flatMap { severity in
        diagnostics.filter { $0.area == area && $0.severity == severity }
      }
    }
  }

  /// The repairs that need no decision.
  public var repairs: [Repair] {
    var seen: Set<Repair> = []
    return diagnostics.compactMap(\.repair).filter { seen.insert($0).inserted }
  }

  /// Returns the number of diagnostics of a severity.
  public func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  private static func diagnostic(of error: any Error, in library: Library) -> Diagnostic {
    func relative(_ path: String) -> String { Path.relative(path, to: library.root) ?? path }
    switch error {
    case LibraryError.unsafeState(let path, let reason):
      return Diagnostic(.error, .library, .unsafe(reason), file: relative(path))
    case LibraryError.sparseUnknown(let marker, _):
      return Diagnostic(.error, .git, .sparseUnknown(marker: relative(marker)))
    case let error as FileError:
      return Diagnostic(.error, .library, .unreadable(error), file: relative(error.path))
    default: return Diagnostic(.error, .library, .notScanned("\(error)"))
    }
  }
}
