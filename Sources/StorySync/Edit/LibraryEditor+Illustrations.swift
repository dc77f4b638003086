public import StoryLibrary

extension LibraryEditor {
  /// The records of a story's pictures, which lie in a folder of its name; none for a record of
  /// another kind.
  ///
  /// - Throws: `LibraryError.unsafeState`, `FileError`.
  public func illustrations(of story: RecordRef) throws -> [RecordRef] {
    try illustrationEntries(of: story).map(\.ref)
  }

  private func illustrationEntries(of story: RecordRef) throws -> [ScanEntry] {
    let kind = EntityKind.illustrations
    guard story.kind == .stories,
      FileSystem.exists(library.path(Path.join(kind.folder, story.name)))
    else { return [] }
    var scanner = Scanner(library)
    scanner.kinds = [kind]
    return try scanner.scan().entries.filter {
      $0.id != nil && Path.parent($0.ref.name) == story.name
    }
  }

  /// Lets the pictures of a renamed story lie under its new name, with their sidecars; the caller
  /// holds the library's lock.
  ///
  /// One whose place is taken stays where it is: whose it is stands in its sidecar, not in its name.
  /// Interrupted in between, some have followed, and the others are as well found as before.
  /// - Throws: `LibraryError.unsafeState`, `FileError`.
  func moveIllustrations(from old: RecordRef, to new: RecordRef) throws {
    var guardian = PathGuard(root: library.root)
    var folders: Set<String> = []
    for entry in try illustrationEntries(of: old) where entry.renamedFrom == nil {
      let target = RecordRef(
        kind: .illustrations, name: Path.join(new.name, Path.name(entry.ref.name)))
      let isTaken = [target.path, target.sidecarPath].contains {
        FileSystem.exists(library.path($0))
      }
      guard !isTaken else { continue }
      try guardian.check(above: library.path(entry.sidecarPath))
      try guardian.makeFolders(above: library.path(target.sidecarPath))
      if entry.hasRecord {
        try AtomicFile.move(library.path(entry.ref.path), to: library.path(target.path))
      }
      try FileSystem.rename(library.path(entry.sidecarPath), to: library.path(target.sidecarPath))
      folders.formUnion(
        [entry.ref.path, entry.sidecarPath, target.path, target.sidecarPath].map(Path.parent))
    }
    for folder in folders { try FileSystem.flushFolder(library.path(folder)) }
    if !folders.isEmpty {
      library.removeEmptyFolders(of: RecordRef(kind: .illustrations, name: "\(old.name)/01"))
    }
  }
}

extension Library {
  /// Removes the folders that a record lay in, up to its kind's, where nothing is left in them.
  func removeEmptyFolders(of ref: RecordRef) {
    FileSystem.removeFolderIfEmpty(path(Path.parent(ref.sidecarPath)))
    var folder = Path.parent(ref.path)
    while folder != ref.kind.folder, FileSystem.removeFolderIfEmpty(path(folder)) {
      folder = Path.parent(folder)
    }
  }
}
