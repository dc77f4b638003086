import StoryLibrary
import StorySync

/// A file of a library that is wrong in itself, found where no list of problems can be given.
struct LocatedProblem: Error, Sendable {
  var problem: Problem
  /// The library's root.
  var root: String
}

extension Context {
  /// The library that the command works on: the nearest one from the current folder upwards.
  ///
  /// - Parameter checksState: whether a `.stories/` that git tracks, or that holds links, is refused.
  /// - Throws: `LibraryError.notFound`, `unsafeState`; `SafetyStop.stateIsTracked`; `LocatedProblem`
  ///   where `library.json` cannot be understood; `FileError`.
  func library(checksState: Bool = true) throws -> Library {
    do {
      let library = try Library.find(from: folder)
      if checksState, try library.checkStateFolder(),
        GitRepository(library)?.mayTrackState == true
      {
        throw SafetyStop.stateIsTracked
      }
      detail("Library: \(shown(library.root))")
      return library
    } catch let problem as Problem {
      throw LocatedProblem(problem: problem, root: libraryRoot() ?? folder)
    }
  }

  /// The nearest folder upwards with a `library.json`, whatever is in it.
  func libraryRoot() -> String? {
    var current = folder
    while !FileSystem.exists(Path.join(current, LibraryConfiguration.fileName)) {
      guard current != "/", !current.isEmpty else { return nil }
      current = Path.parent(current)
    }
    return current
  }

  /// Finds how every record of a library stands.
  ///
  /// - Parameter kinds: the kinds to look at; those that people write where nothing else is said.
  /// - Throws: as `Scanner.scan()`.
  func scan(
    _ library: Library, kinds: [EntityKind] = EntityKind.writable
  ) throws -> Scan {
    let start = uptime()
    let progress = progress()
    progress.update("Reading records")
    defer { progress.finish() }
    var scanner = Scanner(library)
    scanner.kinds = kinds
    GitRepository(library)?.describe(to: &scanner)
    let scan = try scanner.scan()
    detail(
      "\(Phrases.count(scan.entries.count, "record")) read in \(Phrases.time(uptime() - start))")
    return scan
  }

  /// The path of a file of a library, as it is shown.
  func shown(_ file: String, in library: Library) -> String { shown(library.path(file).text) }

  /// A hint with the paths in its `git checkout -- PATH` as they are right from the folder that the
  /// program was started in.
  func shown(hint: String, in library: Library) -> String {
    let start = "`git checkout -- "
    guard let lead = hint.firstRange(of: start) else { return hint }
    let rest = hint[lead.upperBound...]
    guard let end = rest.firstIndex(of: "`") else { return hint }
    let word = ShellWord.quoting(shown(String(rest[..<end]), in: library))
    return hint[..<lead.upperBound] + word + rest[end...]
  }

  /// A problem's place as it is shown: `SampleData/heroes/luna.json:3:5`.
  func place(of problem: Problem, in library: Library) -> String {
    shown(problem.file, in: library) + (problem.position.map { ":\($0)" } ?? "")
  }
}
