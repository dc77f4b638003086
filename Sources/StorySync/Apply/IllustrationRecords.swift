import JSONText
public import StoryLibrary

/// The local illustration records, grouped by story.
///
/// The sidecar (`storyId`) says which story an illustration belongs to, not its name.
struct IllustrationRecords {
  private let library: Library
  private(set) var scan: Scan
  /// The illustrations by the id of their story, ordered by name.
  private(set) var byStory: [String: [ScanEntry]]

  /// Scans the illustrations.
  ///
  /// - Throws: `LibraryError.unsafeState`, `FileError`.
  init(_ library: Library) throws {
    self.library = library
    var scanner = Scanner(askingGit: library)
    scanner.kinds = [.illustrations]
    scan = try scanner.scan()
    byStory = Dictionary(
      scan.entries.compactMap { entry in
        let sidecar = try? library.sidecar(of: entry)
        return sidecar?.server["storyId"]?.string.map { ($0, [entry]) }
      }, uniquingKeysWith: +)
  }

  /// Removes the stale temporary files among them; the caller holds the library's lock.
  mutating func clean() throws {
    if try Recovery.clean(scan, in: library) { self = try IllustrationRecords(library) }
  }

  /// Moves the illustrations of renamed stories, with their sidecars, to the stories' names; the
  /// caller holds the library's lock.
  ///
  /// An illustration whose target name is taken stays in place. If this is interrupted, some have
  /// moved, and the others can be found as before.
  /// - Parameter names: stories by id.
  /// - Throws: `LibraryError.unsafeState`, `FileError`.
  mutating func follow(_ names: [String: RecordRef]) throws {
    var astray = names.sorted { $0.value < $1.value }.flatMap { id, story in
      (byStory[id] ?? []).compactMap { entry -> (entry: ScanEntry, target: RecordRef)? in
        guard entry.renamedFrom == nil, entry.state != .duplicateId,
          Path.parent(entry.ref.name) != story.pictureFolder
        else { return nil }
        let name = Path.join(story.pictureFolder, Path.name(entry.ref.name))
        return (entry, RecordRef(kind: .illustrations, name: name))
      }
    }
    guard !astray.isEmpty else { return }
    var folders: Set<String> = []
    var count: Int
    // Moving one may free the name for another.
    repeat {
      count = astray.count
      astray = try astray.filter { try !move($0.entry, to: $0.target, &folders) }
    } while astray.count < count && !astray.isEmpty
    guard !folders.isEmpty else { return }
    for folder in folders where FileSystem.exists(library.path(folder)) {
      try FileSystem.flushFolder(library.path(folder))
    }
    self = try IllustrationRecords(library)
  }

  private func move(
    _ entry: ScanEntry, to target: RecordRef, _ folders: inout Set<String>
  ) throws -> Bool {
    let isTaken = [target.path, target.sidecarPath].contains {
      FileSystem.exists(library.path($0))
    }
    guard !isTaken else { return false }
    try FileSystem.makeFolder(Path.parent(library.path(target.sidecarPath)))
    if entry.hasRecord {
      try FileSystem.renameIfAbsent(library.path(entry.ref.path), to: library.path(target.path))
    }
    try FileSystem.rename(library.path(entry.sidecarPath), to: library.path(target.sidecarPath))
    folders.formUnion(
      [entry.ref.path, entry.sidecarPath, target.path, target.sidecarPath].map(Path.parent))
    library.removeEmptyFolders(of: entry.ref)
    return true
  }
}

extension LibraryEditor {
  /// Returns the illustration records of stories, according to their sidecars.
  ///
  /// - Parameter ids: the stories' ids.
  /// - Throws: `LibraryError.unsafeState`, `FileError`.
  public func illustrations(ofStories ids: Set<String>) throws -> [RecordRef] {
    guard !ids.isEmpty, FileSystem.exists(library.path(EntityKind.illustrations.folder)) else {
      return []
    }
    let records = try IllustrationRecords(library)
    return ids.flatMap { records.byStory[$0] ?? [] }.map(\.ref).sorted()
  }
}

extension Scan {
  /// Returns the server's ids of those records that are stories.
  public func storyIDs(_ refs: [RecordRef]) -> Set<String> {
    Set(refs.lazy.filter { $0.kind == .stories }.compactMap { entry($0)?.id })
  }
}
