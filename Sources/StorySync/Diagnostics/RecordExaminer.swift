import StoryLibrary
import StoryMerge

struct RecordExaminer {
  let library: Library
  let scan: Scan

  var diagnostics: [Diagnostic] {
    var found = scan.entries.flatMap(diagnostics)
    found += scan.staleSidecars.map { ref in
      Diagnostic(.warning, .sidecars, .stale, file: ref.sidecarPath, repair: .dropSidecar(ref))
    }
    found += scan.staleFiles.map { path in
      Diagnostic(.warning, .staleFiles, .temporary, file: path, repair: Repair.settling(path))
    }
    found += scan.missingProblems.map(diagnostic)
    found += scan.refusedDeletes(in: library).map { Diagnostic($0, .records) }
    found += (library.configuration.problems + scan.problems).map(diagnostic)
    return found + summaries
  }

  private func diagnostics(_ entry: ScanEntry) -> [Diagnostic] {
    switch entry.state {
    case .unreadable: return entry.problems.map { unreadable($0, entry) }
    case .duplicateId:
      return entry.problems.filter { $0.code == .duplicateID }.map {
        Diagnostic($0, .sidecars, outlook: .neitherSentNorDeleted)
      }
    case .pendingDelete where !entry.isDeleteStated:
      return [Diagnostic(.note, .sidecars, .orphan(entry.ref), file: entry.sidecarPath)]
    case .missing: return entry.problems.map { Diagnostic($0, .sidecars) }
    default: break
    }
    var found: [Diagnostic] = []
    if entry.hasVoidDelete {
      found.append(
        Diagnostic(
          .warning, .sidecars, .deleteStated(entry.ref), file: entry.sidecarPath,
          repair: entry.renamedFrom == nil ? .keepRecord(entry.ref) : nil))
    }
    if isSavedBeside(entry.ref) {
      found.append(
        Diagnostic(
          .warning, .records, .savedBeside(isNew: entry.id == nil), file: entry.ref.path))
    }
    return found
  }

  /// Returns the diagnostic of an unreadable file, with what the next sync does with it.
  private func unreadable(_ problem: Problem, _ entry: ScanEntry) -> Diagnostic {
    guard problem.file == entry.sidecarPath else {
      return Diagnostic(problem, .records, outlook: .leftAlone)
    }
    guard problem.code == .conflictMarkers || problem.code == .sidecar else {
      return Diagnostic(problem, .sidecars, outlook: .leftAlone)
    }
    let bytes = try? library.read(entry.sidecarPath)
    let sides = bytes.flatMap { SidecarSides($0, ref: entry.ref) }
    if sides?.merged != nil {
      return Diagnostic(
        problem, .sidecars, outlook: .newerTaken,
        repair: .repairSidecar(entry.ref, path: entry.sidecarPath))
    }
    let waits = sides != nil || !entry.possibleIDs.isEmpty
    return Diagnostic(problem, .sidecars, outlook: waits ? .waits : .rebuilt)
  }

  private func diagnostic(_ problem: Problem) -> Diagnostic {
    Diagnostic(
      problem, .records,
      outlook: problem.code == .notAFile || problem.code == .unreadable ? .hidden : nil)
  }

  /// Summaries of what other commands report in full.
  private var summaries: [Diagnostic] {
    var found: [Diagnostic] = []
    var (broken, odd): ([ScanEntry], [ScanEntry]) = ([], [])
    for entry in scan.entries where entry.state != .unreadable && entry.state != .duplicateId {
      let problems = scan.problems(of: entry, in: library)
      if problems.contains(where: { $0.severity == .error }) {
        broken.append(entry)
      } else if !problems.isEmpty {
        odd.append(entry)
      }
    }
    if let first = odd.first {
      found.append(Diagnostic(.warning, .records, .odd(odd.count, first: first.ref)))
    }
    if let first = broken.first {
      found.append(Diagnostic(.warning, .records, .invalid(broken.count, first: first.ref)))
    }
    let waiting = scan.entries.count { $0.conflict != nil }
    if waiting > 0 { found.append(Diagnostic(.note, .records, .conflicts(waiting))) }
    return found
  }

  /// Returns whether a record has the name under which a sync keeps a concurrently saved edit.
  private func isSavedBeside(_ ref: RecordRef) -> Bool {
    guard let mark = ref.name.ranges(of: ".saved-").last else { return false }
    let number = ref.name[mark.upperBound...]
    return !number.isEmpty && number.allSatisfy(\.isNumber)
  }
}
