import StoryLibrary
import StoryMerge

/// Looks at the records and sidecars that a scan found.
struct RecordExaminer {
  let library: Library
  let scan: Scan

  var findings: [HealthFinding] {
    scan.entries.flatMap(findings) + staleSidecars + leftovers
      + problems.ofLibrary.map(finding) + summaries
  }

  private var problems: RecordProblems { RecordProblems(scan, of: library) }

  private func findings(_ entry: ScanEntry) -> [HealthFinding] {
    switch entry.state {
    case .unreadable: return entry.problems.map { unreadable($0, entry) }
    case .duplicateId:
      return entry.problems.filter { $0.code == .duplicateID }.map {
        HealthFinding($0, .sidecars, outlook: "it is neither sent nor deleted")
      }
    case .pendingDelete where !entry.isDeleteStated:
      return [
        HealthFinding(
          .note, .sidecars, "orphan", file: entry.sidecarPath, "has no record beside it",
          outlook: "the next push deletes \(entry.ref) on the server",
          hint: "if that is not meant: `git checkout -- \(entry.ref.path)`, or `stories restore"
            + " \(entry.ref)`")
      ]
    case .missing:
      return entry.problems.map { HealthFinding($0, .sidecars) }
    default: break
    }
    var found: [HealthFinding] = []
    if entry.hasRecord, isDeleteStated(entry) {
      found.append(
        HealthFinding(
          .warning, .sidecars, "delete-stated", file: entry.sidecarPath,
          "says that \(entry.ref) shall go, but the record is here",
          outlook: "the record stays",
          repair: entry.renamedFrom == nil ? .keepRecord(entry.ref) : nil))
    }
    if isSavedBeside(entry.ref) {
      found.append(
        HealthFinding(
          .warning, .records, "saved-beside", file: entry.ref.path,
          "is an edit that was saved in the moment of a sync, beside the record that it was for",
          outlook: entry.id == nil ? "it is sent as a record of its own" : nil,
          hint: "bring the two together, then remove this one"))
    }
    return found
  }

  /// Whether a record that is here has a sidecar that says it shall go. A scan does not tell, for it
  /// makes no difference while the record is here.
  private func isDeleteStated(_ entry: ScanEntry) -> Bool {
    guard entry.id != nil, let bytes = try? LibraryFiles(library: library).read(entry.sidecarPath),
      bytes.contains(Array("\"delete\"".utf8))
    else { return false }
    let place = entry.renamedFrom ?? entry.ref
    return (try? Sidecar(bytes: bytes, ref: place))?.isDeleteStated ?? false
  }

  /// What the next sync makes of a file that cannot be read.
  private func unreadable(_ problem: Problem, _ entry: ScanEntry) -> HealthFinding {
    guard problem.file == entry.sidecarPath else {
      return HealthFinding(
        problem, .records, outlook: "the record is left alone on both sides; the others go on")
    }
    switch problem.code {
    case .conflictMarkers, .sidecar:
      let bytes = try? LibraryFiles(library: library).read(entry.sidecarPath)
      guard let sides = bytes.flatMap({ SidecarSides($0, ref: entry.ref) }) else {
        return HealthFinding(
          problem, .sidecars,
          outlook: "the next sync finds the record on the server and makes the"
            + " sidecar anew; what differs becomes a conflict")
      }
      if sides.merged != nil {
        return HealthFinding(
          problem, .sidecars, outlook: "the next sync takes the newer of the two versions",
          repair: .mendSidecar(entry.ref, path: entry.sidecarPath))
      }
      return HealthFinding(
        problem, .sidecars, outlook: "it waits until somebody says which of two records it is")
    default:
      return HealthFinding(problem, .sidecars, outlook: "the record is left alone on both sides")
    }
  }

  private var staleSidecars: [HealthFinding] {
    scan.staleSidecars.map { ref in
      HealthFinding(
        .warning, .sidecars, "stale", file: ref.sidecarPath,
        "has no record beside it, and another sidecar has its id",
        outlook: "the next sync drops it", repair: .dropSidecar(ref))
    }
  }

  private var leftovers: [HealthFinding] {
    scan.leftovers.map { path in
      HealthFinding(
        .warning, .leftovers, "temporary", file: path, "was left behind by a run that died",
        outlook: "the next sync clears it away", repair: .settleLeftover(path: path))
    }
  }

  private func finding(_ problem: Problem) -> HealthFinding {
    HealthFinding(
      problem, .records,
      outlook: problem.code == .notAFile || problem.code == .unreadable
        ? "what is behind it takes no part" : nil)
  }

  /// What other commands tell in full.
  private var summaries: [HealthFinding] {
    var found: [HealthFinding] = []
    var (broken, odd): ([ScanEntry], [ScanEntry]) = ([], [])
    for entry in scan.entries where entry.state != .unreadable && entry.state != .duplicateId {
      let problems = problems.problems(of: entry)
      if problems.contains(where: { $0.severity == .error }) {
        broken.append(entry)
      } else if !problems.isEmpty {
        odd.append(entry)
      }
    }
    if !odd.isEmpty {
      found.append(
        HealthFinding(
          .warning, .records, "odd",
          "\(odd.count == 1 ? "1 record has" : "\(odd.count) records have") warnings, the first is"
            + " \(odd[0].ref)", hint: "see them all: stories check"))
    }
    if !broken.isEmpty {
      found.append(
        HealthFinding(
          .warning, .records, "invalid",
          "\(broken.count == 1 ? "1 record has" : "\(broken.count) records have") errors, the first"
            + " is \(broken[0].ref)", outlook: "it is not sent until they are mended",
          hint: "see them all: stories check"))
    }
    let waiting = scan.entries.count { $0.conflict != nil }
    if waiting > 0 {
      found.append(
        HealthFinding(
          .note, .records, "conflicts",
          "\(waiting == 1 ? "1 record waits" : "\(waiting) records wait") for a decision",
          hint: "see what: stories conflicts"))
    }
    return found
  }

  /// Whether a record has the name under which an edit is saved that came in a sync's way.
  private func isSavedBeside(_ ref: RecordRef) -> Bool {
    guard let mark = ref.name.ranges(of: ".saved-").last else { return false }
    let number = ref.name[mark.upperBound...]
    return !number.isEmpty && number.allSatisfy(\.isNumber)
  }
}
