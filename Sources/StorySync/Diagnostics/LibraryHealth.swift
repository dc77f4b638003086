public import StoryLibrary

/// How a library is: everything in it that is broken, odd, or left over, without asking a server.
///
/// To look changes nothing, but for a missing `.stories/.gitignore`, which is written again; the
/// library's lock is only tried.
public struct LibraryHealth: Sendable {
  /// What was found, the worst first within each area.
  public var findings: [HealthFinding] = []
  /// How many records are in each state that occurs.
  public var counts: [RecordState: Int] = [:]
  /// The numbers of this machine's own state.
  public var state = StateFigures()
  /// Whether the library lies in a git repository.
  public var isInGit = false

  /// What `.stories/` holds, in numbers.
  public struct StateFigures: Sendable, Hashable {
    /// How many runs are kept.
    public var runs = 0
    /// Their size in bytes.
    public var runBytes = 0
    /// How many entries of the journal an interrupted run left to the next.
    public var openEntries = 0
    /// How many records failed at their last try.
    public var failures = 0
    /// Who is syncing the library at this moment; `nil` where nobody is.
    public var holder: String?
  }

  /// Looks at a library.
  ///
  /// What keeps the library from being scanned at all is a finding too, then the only one about
  /// records.
  /// - Parameters:
  ///   - library: the library.
  ///   - repository: the repository that it lies in; `nil` where it lies in none.
  public init(_ library: Library, repository: GitRepository?) {
    isInGit = repository != nil
    var scan: Scan?
    do {
      var scanner = Scanner(library)
      // What is examined is what the files say, and nothing is written.
      scanner.usesIndex = false
      repository?.describe(to: &scanner)
      scan = try scanner.scan()
    } catch {
      findings.append(Self.finding(of: error, in: library))
    }
    findings += LibraryExaminer(library: library, repository: repository).findings(scan)
    if let scan {
      counts = scan.counts
      findings += RecordExaminer(library: library, scan: scan).findings
    }
    var examiner = StateExaminer(library: library, scan: scan)
    findings += examiner.examine()
    state = examiner.figures
    let order = HealthFinding.Severity.allCases
    findings = HealthFinding.Area.allCases.flatMap { area in
      order.flatMap { severity in
        findings.filter { $0.area == area && $0.severity == severity }
      }
    }
  }

  /// What can be mended without anybody's decision.
  public var repairs: [Repair] {
    var seen: Set<Repair> = []
    return findings.compactMap(\.repair).filter { seen.insert($0).inserted }
  }

  /// How many findings are that bad.
  public func count(_ severity: HealthFinding.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  private static func finding(of error: any Error, in library: Library) -> HealthFinding {
    func relative(_ path: String) -> String { Path.relative(path, to: library.root) ?? path }
    switch error {
    case LibraryError.unsafeState(let path, let reason):
      return HealthFinding(.error, .library, .unsafe(reason), file: relative(path))
    case LibraryError.sparseUnknown(let marker, _):
      return HealthFinding(.error, .git, .sparseUnknown(marker: relative(marker)))
    case let error as FileError:
      return HealthFinding(.error, .library, .unreadable(error), file: relative(error.path))
    default: return HealthFinding(.error, .library, .notScanned("\(error)"))
    }
  }
}
