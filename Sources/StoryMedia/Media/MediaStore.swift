public import StoryAPI
public import StoryLibrary
import StorySync

/// The fetched files that a server made: `.stories/media/`.
///
/// ```
/// .stories/media/avatars/luna.0d3f….a1b2c3d4.png
/// .stories/media/audio/2026/first-snow.77aa….00ff12cd.wav
/// .stories/media/illustrations/first-snow/01.93be….5e6f7a8b.png
/// .stories/media/partial/     interrupted downloads
/// ```
/// There is no index: a file's name has its metadata, and its modification time is its last use.
/// Everything may be removed at any time and can be fetched again.
public struct MediaStore: Sendable {
  /// The library.
  public let library: Library
  let now: @Sendable () -> ServerDate

  /// Creates the store of a library.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - time: The clock for measuring ages.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    now = time.now
  }

  /// The store's folder, relative to the library's root.
  static let folder = Path.join(Library.stateFolderName, "media")

  static func folder(_ kind: MediaKind) -> String { Path.join(folder, kind.rawValue) }

  private static let partialFolder = Path.join(folder, "partial")

  // MARK: Listing

  /// Returns all files by kind and name, without links and files with foreign names.
  ///
  /// - Throws: `FileError` if a folder cannot be listed.
  public func files() throws(FileError) -> [MediaFile] {
    var files: [MediaFile] = []
    for kind in MediaKind.allCases where try isFolder(Self.folder(kind)) {
      try collect(kind, "", &files)
    }
    return files
  }

  private func collect(
    _ kind: MediaKind, _ inner: String, _ files: inout [MediaFile]
  ) throws(FileError) {
    let folder = Path.join(Self.folder(kind), inner)
    for entry in try FileSystem.list(library.path(folder)) {
      let name = Path.join(inner, entry.name)
      if entry.type == .folder {
        try collect(kind, name, &files)
      } else if entry.type == .regular,
        let status = try FileSystem.status(library.path(Path.join(Self.folder(kind), name))),
        let file = MediaFile(kind, name: name, status)
      {
        files.append(file)
      }
    }
  }

  private func isFolder(_ path: String) throws(FileError) -> Bool {
    try FileSystem.status(library.path(path))?.type == .folder
  }

  // MARK: Using

  /// Marks a file as used now.
  ///
  /// - Returns: The file with the new time.
  public func use(_ file: MediaFile) -> MediaFile {
    var used = file
    used.usedAt = now()
    do throws(FileError) {
      try FileSystem.setModified(library.path(file.path), nanoseconds(used.usedAt))
      return used
    } catch {
      return file
    }
  }

  private func nanoseconds(_ date: ServerDate) -> Int {
    FileSystem.nanoseconds(seconds: Int(date.seconds), Int(date.nanoseconds))
  }

  // MARK: Adding

  func partialPath(_ item: MediaItem) throws -> ConfinedPath {
    try library.prepareStateFolder()
    try FileSystem.makeFolder(library.path(Self.partialFolder))
    let name = item.key.replacing("/", with: ".")
    return library.path(Path.join(Self.partialFolder, name))
  }

  /// Moves a complete, flushed file into the store, and removes older files of the same record.
  ///
  /// - Parameter fileExtension: The extension for its content type.
  /// - Throws: `FileError`; the file keeps its old name in that case.
  func take(
    _ partial: ConfinedPath, as item: MediaItem, fileExtension: String
  ) throws(FileError) -> MediaFile {
    let older = try files().filter {
      $0.kind == item.kind && $0.idPart == MediaItem.namePart(ofID: item.id)
    }
    let stem = Self.shortened(item.ref.name)
    let name = "\(stem).\(MediaItem.namePart(ofID: item.id)).\(item.version).\(fileExtension)"
    let relative = Path.join(Self.folder(item.kind), name)
    let path = library.path(relative)
    try FileSystem.makeFolder(Path.parent(path))
    try FileSystem.rename(partial, to: path)
    try FileSystem.setModified(path, nanoseconds(now()))
    try FileSystem.flushFolder(Path.parent(path))
    for file in older where file.path != relative { _ = try? remove(file) }
    guard let status = try FileSystem.status(path),
      let file = MediaFile(item.kind, name: name, status)
    else { throw FileError(.read, path: path.text, code: 2) }
    return file
  }

  /// Returns a record's name, shortened to leave room for the rest of a 255-byte file name.
  private static func shortened(_ name: String) -> String {
    var last = Path.name(name)
    while last.utf8.count > 160 { last.removeLast() }
    return Path.join(Path.parent(name), last)
  }

  // MARK: Removing

  /// Removes a file that is not in use, and its folders if they are empty.
  ///
  /// - Returns: Whether it was removed; a file that another process holds is kept.
  func remove(_ file: MediaFile) throws(FileError) -> Bool {
    let path = library.path(file.path)
    guard try isFolder(Path.parent(file.path)) else { return false }
    guard let lock = try FileLock(path, .exclusive) else { return false }
    defer { withExtendedLifetime(lock) {} }
    try FileSystem.remove(path)
    FileSystem.removeEmptyFolders(above: path, below: Self.folder(file.kind))
    return true
  }

  /// Removes the stale temporary files of download notes. The caller must hold the store's lock, so
  /// that none of them is in use.
  func removeStaleFiles() throws(FileError) {
    for path in try partialFiles() where StaleFiles.isOne(Path.name(path)) {
      try FileSystem.remove(path)
    }
  }

  /// Removes partial files that were not continued for a week.
  func removeOldParts() throws(FileError) {
    let oldest = nanoseconds(now().advanced(by: .seconds(-7 * 86_400)))
    for path in try partialFiles() {
      if let status = try FileSystem.status(path), status.modified < oldest {
        try FileSystem.remove(path)
      }
    }
  }

  private func partialFiles() throws(FileError) -> [ConfinedPath] {
    guard try isFolder(Self.partialFolder) else { return [] }
    return try FileSystem.list(library.path(Self.partialFolder)).filter { $0.type == .regular }
      .map { library.path(Path.join(Self.partialFolder, $0.name)) }
  }

  /// Prevents other processes from fetching or pruning.
  ///
  /// - Throws: `MediaFailure.locked` if one is running; `LibraryError`, `FileError`.
  func lock() throws -> FileLock {
    try library.prepareStateFolder()
    let folder = library.path(Self.folder)
    try FileSystem.makeFolder(folder)
    let lock = try FileLock(Path.join(folder, "lock"), .exclusive, makesFile: true)
    guard let lock else { throw MediaFailure.locked }
    return lock
  }
}
