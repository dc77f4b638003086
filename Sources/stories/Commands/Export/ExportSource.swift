import JSONText
import StoryLibrary
import StoryMedia
import StoryPages

/// Selects the records to export, reads them with their media, and shows progress.
struct ExportSource: Sendable {
  let context: Context
  let library: Library
  /// The title, or `nil` for one made from the heroes.
  var title: String?

  /// Returns the absolute path of the file or folder to write, before anything is written.
  ///
  /// - Throws: `UsageError` if the word is empty; `ExportError.insideLibrary`.
  func target(_ word: String, _ name: String) throws -> String {
    if word.isEmpty { throw UsageError(.missingArgument(name)) }
    let path = Path.absolute(word, in: context.folder)
    try library.checkExport(to: path)
    return path
  }

  /// Fetches the missing files of the chosen records, and of the stories of chosen heroes and events.
  ///
  /// - Returns: the exit code for those that could not be fetched.
  func pull(_ words: [String]) async throws -> ExitCode {
    var refs: [RecordRef]?
    if !words.isEmpty {
      let scan = try context.scan(library, kinds: EntityKind.allCases)
      let chosen = Set(try RefResolver(scan, of: library, context: context).records(words))
      refs = scan.entries.filter { $0.isExported(with: chosen) }.map(\.ref)
    }
    let report = try await context.pullMedia(of: refs, in: library, bounds: nil)
    context.writeFailures(of: report)
    return try context.exitCode(of: report)
  }

  /// Reads the chosen records and hands them to `write`, which may be interrupted.
  func export<Report: Sendable>(
    _ words: [String], _ action: String,
    _ write: @escaping @Sendable (Bookshelf, (Int, Int) throws -> Void) throws -> Report
  ) async throws -> (Bookshelf, Report) {
    let scan = try context.scan(library, kinds: EntityKind.allCases)
    let refs =
      words.isEmpty
      ? nil : Set(try RefResolver(scan, of: library, context: context).records(words))
    let progress = context.progress()
    defer { progress.finish() }
    return try await context.interruptible { [self] in
      func shows(_ what: String) -> (Int, Int) throws -> Void {
        { done, total in
          try Task.checkCancellation()
          progress.update(what, done: done, of: total)
        }
      }
      let files = try MediaStore(library, time: context.time).files()
      let shelf = try Bookshelf(
        library, scan, refs: refs, title: title, media: ShelfMedia(of: library, scan, files),
        progress: shows("Reading stories"))
      if shelf.stories.isEmpty, let problem = Self.problem(of: shelf, scan) { throw problem }
      return (shelf, try write(shelf, shows(action)))
    }
  }

  /// Returns why there may be stories though none can be read, or `nil`.
  private static func problem(of shelf: Bookshelf, _ scan: Scan) -> Problem? {
    let unreadable = shelf.omitted.filter { $0.reason == .unreadable && $0.ref.kind == .stories }
    let own = unreadable.compactMap { scan.entry($0.ref)?.problems.first }
    return own.first ?? shelf.problems.first { $0.file.hasPrefix(EntityKind.stories.folder) }
  }

  // MARK: Words

  /// `15 stories about 11 heroes`.
  static func content(of shelf: Bookshelf) -> String {
    let stories = Phrases.count(shelf.stories.count, .stories)
    guard !shelf.heroes.isEmpty else { return stories }
    return "\(stories) about \(Phrases.count(shelf.heroes.count, .heroes))"
  }

  func writeOmitted(_ shelf: Bookshelf) {
    context.write(shelf.problems, of: library, to: context.errors)
    for (ref, reason) in shelf.omitted {
      switch reason {
      case .draft: context.note(Text("\(ref) was left out: it has no text yet."))
      case .unreadable:
        context.output.sink.flush()
        context.errors.line(
          Text("Error: ", .error) + Text("\(ref) cannot be read; see `stories check \(ref.word)`"))
      }
    }
  }

  static func members(of omitted: [(ref: RecordRef, reason: Bookshelf.Omission)]) -> [Members] {
    omitted.map { ["ref": $0.ref, "reason": $0.reason.rawValue] }
  }
}

extension Bookshelf {
  var exitCode: ExitCode {
    problems.isEmpty && !omitted.contains { $0.reason == .unreadable } ? .done : .failed
  }
}

extension ShelfMedia {
  /// Finds the current pictures and narrations of a library that are on this machine.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - scan: A scan of it with all kinds.
  ///   - files: The files of its media store.
  init(of library: Library, _ scan: Scan, _ files: [MediaFile]) {
    self.init()
    let held = HeldMedia(files)
    let reader = RecordReader(library: library, references: scan.references)
    for item in library.mediaItems(in: scan) {
      let story = item.storyID.flatMap { scan.entry(id: $0, of: .stories)?.ref }
      guard let file = held.file(of: item) else {
        missing[story ?? item.ref, default: []].append(item.ref)
        continue
      }
      guard let asset = Asset(of: item.ref, file: library.path(file.path)) else { continue }
      switch item.kind {
      case .avatars: avatars[item.ref] = asset
      case .audio: narrations[item.ref] = asset
      case .illustrations:
        guard let story, let content = scan.entry(item.ref).flatMap({ reader.content(of: $0) })
        else { continue }
        scenes[story, default: []].append(
          Scene(
            asset: asset, text: content["scene"].string ?? "",
            order: content["order"].integer ?? .max, time: Self.seconds(content["time"]),
            duration: Self.seconds(content["duration"])))
      }
    }
    for story in scenes.keys {
      scenes[story]?.sort { ($0.order, $0.asset.ref) < ($1.order, $1.asset.ref) }
    }
  }

  private static func seconds(_ value: JSONValue) -> Double? {
    guard case .number(let number) = value, number.double >= 0 else { return nil }
    return number.double
  }
}
