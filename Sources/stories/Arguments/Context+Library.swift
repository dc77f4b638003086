import StoryLibrary
import StorySync

extension Context {
  /// Finds the command's library: the nearest one from the current folder upwards.
  ///
  /// - Parameter checksState: whether to refuse a `.stories/` that git tracks or that has links.
  /// - Throws: `LibraryError.notFound`, `unsafeState`; `SafetyStop.stateIsTracked`; `Problem`
  ///   if `library.json` cannot be parsed; `FileError`.
  func library(checksState: Bool = true) throws -> Library {
    let library = try Library.find(from: folder)
    if checksState { try checkState(of: library) }
    detail("Library: \(shown(library.root))")
    return library
  }

  /// Finds the command's library, or returns `nil` outside of any.
  ///
  /// - Throws: as ``library(checksState:)``.
  func libraryIfAny() throws -> Library? {
    do { return try library() } catch LibraryError.notFound { return nil }
  }

  /// Refuses a `.stories/` that git tracks or that has links.
  ///
  /// - Throws: `LibraryError.unsafeState`; `SafetyStop.stateIsTracked`; `FileError`.
  func checkState(of library: Library) throws {
    if try library.checkStateFolder(), GitRepository(library)?.mayTrackState == true {
      throw SafetyStop.stateIsTracked
    }
  }

  /// Returns the nearest folder upwards with a `library.json`, valid or not.
  func libraryRoot() -> String? {
    var current = folder
    while !FileSystem.exists(Path.join(current, LibraryConfiguration.fileName)) {
      guard current != "/", !current.isEmpty else { return nil }
      current = Path.parent(current)
    }
    return current
  }

  /// Scans a library.
  ///
  /// - Parameters:
  ///   - kinds: the kinds to scan; by default those that people write.
  ///   - earlier: an earlier scan; see `Scanner.earlier`.
  /// - Throws: as `Scanner.scan()`.
  func scan(
    _ library: Library, kinds: [EntityKind] = EntityKind.writable, after earlier: Scan? = nil
  ) throws -> Scan {
    let start = uptime()
    let progress = progress()
    progress.update("Reading records")
    defer { progress.finish() }
    var scanner = Scanner(library)
    scanner.kinds = kinds
    scanner.earlier = earlier
    GitRepository(library)?.describe(to: &scanner)
    let scan = try scanner.scan()
    detail(
      "\(Phrases.count(scan.entries.count, "record")) read in \(Phrases.time(uptime() - start))")
    return scan
  }

  func shown(_ file: String, in library: Library) -> String { shown(library.path(file).text) }

  /// Returns a hint with ``runnable(_:)`` commands, in which `git checkout -- PATH` works from the
  /// folder that the program was started in.
  func shown(hint: String, in library: Library) -> String {
    runnable(hint).replacing(/`git checkout (HEAD )?-- ([^`]+)`/) { found in
      let (path, version) = (String(found.2), found.1 ?? "")
      let command =
        global.folder == nil
        ? "git checkout \(version)-- \(ShellWord.quoting(shown(path, in: library)))"
        : "git -C \(ShellWord.quoting(shown(library.root))) checkout \(version)-- "
          + ShellWord.quoting(path)
      return "`\(command)`"
    }
  }

  /// Returns a problem's position for display: `SampleData/heroes/luna.json:3:5`.
  func place(of problem: Problem, in library: Library) -> String {
    shown(problem.file, in: library) + (problem.position.map { ":\($0)" } ?? "")
  }
}
