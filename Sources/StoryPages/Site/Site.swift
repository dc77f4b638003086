public import StoryLibrary

/// A shelf as a folder of pages that work without a server, also from a USB stick.
///
/// The same library gives the same bytes.
public struct Site: Sendable {
  private let shelf: Bookshelf

  /// Creates the site of a shelf.
  public init(_ shelf: Bookshelf) { self.shelf = shelf }

  /// Everything that the site has a file for.
  private var places: [Place] {
    var places: [Place] = [.styleSheet, .home, .paper]
    places += StoryList.allCases.filter(shelf.lists.contains).map { .list($0) }
    places += shelf.heroes.map { .hero($0.ref) }
    places += shelf.stories.map { .story($0.ref) }
    return places + shelf.assets.map { .asset($0) }
  }

  /// Writes the pages into a folder, which is created if it is missing.
  ///
  /// Files that are the same already are not touched. Of an earlier export, exactly the files that
  /// are no longer needed are removed; all others in the folder stay, also those that were edited.
  /// Nothing is removed while a folder that may have records cannot be read.
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - library: The library, whose own folders are refused.
  ///   - isForced: Whether to replace pages that were edited.
  ///   - isDryRun: Whether only to report what would be written and removed.
  ///   - progress: Called with the number of pages written and their total.
  /// - Throws: ``ExportError``, `FileError`, errors of `progress`.
  public func export(
    to folder: String, of library: Library, isForced: Bool = false, isDryRun: Bool = false,
    progress: (Int, Int) throws -> Void = { _, _ in }
  ) throws -> SiteReport {
    guard !shelf.stories.isEmpty else { throw ExportError.nothing }
    if let status = try FileSystem.status(Path.resolved(folder) ?? folder), status.type != .folder {
      throw ExportError.notAFolder(folder)
    }
    try library.checkExport(to: folder)
    let earlier = try SiteManifest(in: folder)
    if earlier == nil { try checkUnused(folder) }
    let places = places
    let paths = Set(places.map(\.path))
    for path in paths.sorted() where earlier?.files[path] == nil {
      let file = ConfinedPath(root: folder, path)
      if FileSystem.exists(file) { throw ExportError.foreignFile(file.text) }
    }
    let kept = keptStems
    let stale = (earlier?.files.keys.filter { !paths.contains($0) && !Self.isKept($0, kept) } ?? [])
      .sorted()
    if isDryRun {
      var report = SiteReport()
      report.kept =
        isForced
        ? [] : try paths.sorted().filter { try earlier?.isUnedited($0, in: folder) == false }
      report.written = paths.subtracting(report.kept).sorted()
      for path in stale {
        switch try earlier?.isUnedited(path, in: folder) {
        case true?: report.removed.append(path)
        case false?: report.outdated.append(path)
        case nil: break
        }
      }
      return report
    }
    try FileSystem.makeFolder(folder)
    var manifest = earlier ?? SiteManifest()
    for path in paths where manifest.files[path] == nil {
      manifest.files.updateValue(nil, forKey: path)
    }
    // An interrupted export has its files listed already.
    try manifest.write(to: folder)
    var target = try SiteFolder(folder, manifest: manifest, isForced: isForced)
    try target.removeStaleFiles(in: "")
    try write(places, to: &target, progress)
    try target.remove(stale)
    try target.finish()
    return target.report
  }

  // MARK: Checks

  /// The files that stay although the shelf does not need them: those of records that cannot be
  /// read now or are not on this machine, and pictures and narrations that are only missing here.
  /// They are paths without extensions; a path with a slash at its end is a folder. `nil` means
  /// all files, because there may be records that were not seen.
  private var keptStems: Set<String>? {
    guard shelf.problems.isEmpty else { return nil }
    let unreadable = shelf.omitted.filter { $0.reason == .unreadable }.map(\.ref)
    var stems: Set<String> = []
    for ref in unreadable + shelf.awaited {
      stems.formUnion([Self.stem(Place(ref).path), Asset.stem(of: ref)])
      guard ref.kind == .stories else { continue }
      stems.insert(Asset.stem(of: RecordRef(kind: .illustrations, name: ref.pictureFolder)) + "/")
    }
    let shown = shelf.heroes.map(\.ref) + shelf.stories.map(\.ref) + shelf.omitted.map(\.ref)
    for ref in shown { stems.formUnion((shelf.media.missing[ref] ?? []).map(Asset.stem)) }
    return stems
  }

  private static func isKept(_ path: String, _ stems: Set<String>?) -> Bool {
    stems.map { $0.contains(stem(path)) || $0.contains(Path.parent(path) + "/") } ?? true
  }

  private static func stem(_ path: String) -> String {
    path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
  }

  /// Refuses a folder with files, except for hidden ones such as `.git`.
  private func checkUnused(_ folder: String) throws {
    guard FileSystem.exists(folder) else { return }
    let entries = try FileSystem.list(folder + "/.")
    if entries.contains(where: { !$0.name.hasPrefix(".") }) {
      throw ExportError.folderInUse(folder)
    }
  }

  // MARK: Pages

  private func write(
    _ places: [Place], to target: inout SiteFolder, _ progress: (Int, Int) throws -> Void
  ) throws {
    for (number, place) in places.enumerated() {
      try progress(number, places.count)
      let links = Links.site(place)
      switch place {
      case .styleSheet: try target.write(Array(StyleSheet.pages.utf8), to: place.path)
      case .paper:
        try target.stream(to: place.path) { write in
          try PaperPage(shelf: shelf, links: links).write(to: write)
        }
      case .asset(let asset): try target.copy(asset.file, to: place.path)
      default:
        guard let page = try shelf.page(at: place, links: links) else { continue }
        try target.write(MarkupWriter.document(.html, page), to: place.path)
      }
    }
  }
}

/// The files that an export wrote and removed.
public struct SiteReport: Sendable, Hashable {
  /// The paths of files that were written, or would be.
  public var written: [String] = []
  /// The number of files that were the same already.
  public var unchanged = 0
  /// The paths of files of an earlier export that were removed, or would be.
  public var removed: [String] = []
  /// The paths of files that were edited since and therefore not replaced.
  public var kept: [String] = []
  /// The paths of files that are no longer needed, but were edited since and therefore kept. Each
  /// export reports them, until they are removed or needed again.
  public var outdated: [String] = []
}
