import StoryLibrary
import StorySync

/// The command's library with a scan of it, to find the records that arguments name.
struct OpenLibrary: Sendable {
  let context: Context
  let library: Library
  let scan: Scan

  /// Finds and scans the command's library.
  ///
  /// - Parameter isWritten: whether to check first that this program may write to the library.
  init(
    _ context: Context, kinds: [EntityKind] = EntityKind.writable, isWritten: Bool = false
  ) throws {
    self.context = context
    library = try context.library()
    if isWritten { try library.checkWritable() }
    scan = try context.scan(library, kinds: kinds)
  }

  var reader: RecordReader { RecordReader(library: library, references: scan.references) }

  /// Returns a resolver for the records of the scan, or those of one kind.
  func resolver(_ kind: EntityKind? = nil, includesMissing: Bool = false) -> RefResolver {
    RefResolver(
      scan, of: library, context: context, kind: kind, includesMissing: includesMissing)
  }

  /// Returns the records that words name, in the library's order, or all.
  func entries(_ words: [String]) throws(CommandError) -> [ScanEntry] {
    let refs = Set(try resolver().records(words))
    return scan.entries.filter { refs.contains($0.ref) }
  }

  /// Returns the hero that a word names, or without one the library's only hero.
  ///
  /// - Throws: as `RefResolver.record(_:)`; `CommandError.heroNeeded`.
  func hero(_ word: String?) throws(CommandError) -> RecordRef {
    if let word { return try resolver(.heroes).record(word) }
    let heroes = scan.entries.filter { $0.ref.kind == .heroes && $0.hasRecord }.map(\.ref)
    guard let only = heroes.first, heroes.count == 1 else { throw .heroNeeded(choices: heroes) }
    return only
  }

  /// Writes problems of the library's files; see ``Context/write(_:of:to:indent:)``.
  func write(_ problems: some Sequence<Problem>, to output: Output) {
    context.write(problems, of: library, to: output)
  }

  func shown(_ file: String) -> String { context.shown(file, in: library) }
}

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

  func scan(
    _ library: Library, kinds: [EntityKind] = EntityKind.writable, after earlier: Scan? = nil
  ) throws -> Scan {
    let start = uptime()
    let progress = progress()
    progress.update("Reading records")
    defer { progress.finish() }
    var scanner = Scanner(askingGit: library)
    scanner.kinds = kinds
    scanner.earlier = earlier
    let scan = try scanner.scan()
    detail(
      "\(Phrases.count(scan.entries.count, "record")) read in \(Phrases.time(uptime() - start))")
    return scan
  }

  func shown(_ file: String, in library: Library) -> String { shown(library.path(file).text) }

  /// Returns a hint with ``runnable(_:)`` commands, in which `git checkout -- PATH…`, `git add -- PATH…`,
  /// `git rm -- PATH…` and `stories -C PATH` work from the folder that the program was started in.
  func shown(hint: String, in library: Library) -> String {
    let hint = hint.replacing(/`stories -C ('(?:[^']|'\\'')*'|[^`]+)`/) { found in
      let path = ShellWord.unquoting(String(found.1))
      return "`stories -C \(ShellWord.quoting(shown(path, in: library)))`"
    }
    let git = /`git ((?:checkout|add|rm) (?:[\w\/-]+ )?--)((?: (?:'(?:[^']|'\\'')*'|[^`' ]+))+)`/
    return runnable(hint).replacing(git) { found in
      let paths = found.2.matches(of: /'(?:[^']|'\\'')*'|[^' ]+/).map { word in
        let path = ShellWord.unquoting(String(word.0))
        return ShellWord.quoting(global.folder == nil ? shown(path, in: library) : path)
      }
      let place = global.folder == nil ? "" : " -C \(ShellWord.quoting(shown(library.root)))"
      return "`git\(place) \(found.1) \(paths.joined(separator: " "))`"
    }
  }

  /// Returns a problem's position for display: `SampleData/heroes/luna.json:3:5`.
  func place(of problem: Problem, in library: Library) -> String {
    Phrases.place(shown(problem.file, in: library), problem.position)
  }

  /// Writes problems as `file:line:column: error: message`, with their hints below.
  func write(
    _ problems: some Sequence<Problem>, of library: Library, to output: Output, indent: Int = 0
  ) {
    for problem in problems {
      let isError = problem.severity == .error
      let place = Text("\(place(of: problem, in: library)): ", .strong)
      let severity = Text(isError ? "error: " : "warning: ", isError ? .error : .warning)
      output.line(Text("").padded(to: indent) + place + severity + Text(problem.message))
      if let hint = problem.advice.map({ shown(hint: $0, in: library) }) {
        output.line(Text("").padded(to: indent + 2) + Text("Hint: \(hint)", .faint))
      }
    }
  }
}
