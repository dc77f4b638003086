import JSONText
import StoryLibrary

struct StateExaminer {
  let library: Library
  /// The scan of the records, or `nil` if it failed.
  let scan: Scan?
  private(set) var figures = LibraryHealth.StateFigures()
  private(set) var diagnostics: [Diagnostic] = []

  mutating func examine() -> [Diagnostic] {
    guard let status = try? FileSystem.status(library.statePath()) else {
      if scan?.entries.contains(where: { $0.id != nil }) == true {
        add(.note, .noState)
      }
      return diagnostics
    }
    guard status.type == .folder else {
      add(.error, .stateIsNoFolder)
      return diagnostics
    }
    examineFolder(status)
    examineLock()
    examineJournal()
    examineFailures()
    examinePulls()
    examineRuns()
    examineDrafts()
    return diagnostics
  }

  private mutating func add(
    _ severity: Diagnostic.Severity, _ what: Diagnostic.What, file: String? = nil,
    repair: Repair? = nil
  ) {
    let path = Path.join(Library.stateFolderName, file ?? "")
    diagnostics.append(Diagnostic(severity, .state, what, file: path, repair: repair))
  }

  private func text(_ file: String) -> [UInt8]? { try? FileSystem.read(library.statePath(file)) }

  // MARK: The folder

  private mutating func examineFolder(_ status: FileSystem.Status) {
    if status.mode & 0o077 != 0 {
      add(.warning, .openState, repair: .closeState)
    }
    // A missing file is written again by the next run, including this check of the lock.
    if let ignored = text(".gitignore"),
      !ignored.split(separator: 0x0A).contains(where: { $0.elementsEqual("*".utf8) })
    {
      add(.warning, .notIgnored, file: ".gitignore", repair: .ignoreState)
    }
    for entry in (try? FileSystem.list(library.statePath())) ?? []
    where entry.name.hasPrefix(".stories-tmp-") {
      let path = Path.join(Library.stateFolderName, entry.name)
      add(.note, .temporary, file: entry.name, repair: Repair.settling(path))
    }
  }

  private mutating func examineLock() {
    guard FileSystem.exists(library.statePath("lock")) else { return }
    do {
      withExtendedLifetime(try LibraryLock(library)) {}
    } catch LibraryError.locked(let holder) {
      figures.holder = holder
      add(.note, .locked(holder: holder), file: "lock")
    } catch LibraryError.unsafeState(let path, let reason) {
      addUnsafe(path, reason)
    } catch {
      add(.error, .lock("\(error)"), file: "lock")
    }
  }

  // MARK: What runs left

  private mutating func examineJournal() {
    guard FileSystem.exists(library.statePath("journal")) else { return }
    let journal: Journal
    do {
      journal = try Journal(library)
    } catch let problem as Problem {
      diagnostics.append(Diagnostic(problem, .state, outlook: .noSync))
      return
    } catch LibraryError.unsafeState(let path, let reason) {
      return addUnsafe(path, reason)
    } catch {
      add(.error, .journal("\(error)"), file: "journal")
      return
    }
    let (writes, files) = (journal.unconfirmedWrites.count, journal.unfinishedFiles.count)
    figures.openEntries = writes + files
    guard writes + files > 0, figures.holder == nil else { return }
    add(.warning, .interrupted(writes: writes, files: files), file: "journal")
  }

  private mutating func examineFailures() {
    guard let bytes = text("failures.json") else { return }
    guard (try? JSONValue(parsing: bytes))?.object != nil else {
      return addUnreadable("failures.json")
    }
    let failures = FailureStore(library).failures
    figures.failures = failures.count
    for (ref, failure) in failures.sorted(by: { $0.key < $1.key }) {
      diagnostics.append(Diagnostic(.warning, .records, .failed(failure), file: ref.path))
    }
  }

  private mutating func examinePulls() {
    guard text("pulls.json") != nil else { return }
    guard let pulls = PullState(library) else { return addUnreadable("pulls.json") }
    if let synced = library.configuration.synced, pulls.identity != synced {
      add(.note, .otherServer, file: "pulls.json")
    } else if let scan, pulls.sidecarDigest != scan.pulledDigest {
      add(.note, .otherSidecars, file: "pulls.json")
    }
  }

  /// Adds, once, that a path cannot be used because it may lead elsewhere.
  private mutating func addUnsafe(_ path: String, _ reason: String) {
    let path = Path.relative(path, to: library.root) ?? path
    guard !diagnostics.contains(where: { $0.file == path && $0.area == .state }) else { return }
    diagnostics.append(Diagnostic(.error, .state, .unsafe(reason), file: path))
  }

  private mutating func addUnreadable(_ file: String) {
    let path = Path.join(Library.stateFolderName, file)
    add(.warning, .damaged, file: file, repair: .dropState(path: path))
  }

  private mutating func examineRuns() {
    let runs = (try? RunHistory(library).runs()) ?? []
    figures.runs = runs.count
    figures.runBytes = runs.reduce(0) { $0 + $1.size }
    guard figures.holder == nil else { return }
    for run in runs where run.report == nil {
      add(.note, .unfinishedRun(run.name), file: "runs/\(run.name)")
    }
  }

  private mutating func examineDrafts() {
    for entry in (try? FileSystem.list(library.statePath("edit"))) ?? [] {
      let folder = Path.join("edit", entry.name)
      let files = (try? FileSystem.list(library.statePath(folder))) ?? []
      guard let file = files.first else { continue }
      add(.note, .draft, file: Path.join(folder, file.name))
    }
  }
}
