import StoryLibrary

/// Writes the files of a site, leaving alone those that are the same already or were edited.
struct SiteFolder {
  let root: String
  private(set) var manifest: SiteManifest
  private(set) var report = SiteReport()
  private let isForced: Bool
  private let journal: AppendLog
  private var folders: Set<String> = []

  /// - Parameter isForced: Whether to replace files that were edited.
  init(_ root: String, manifest: SiteManifest, isForced: Bool) throws(FileError) {
    self.root = root
    self.manifest = manifest
    self.isForced = isForced
    journal = try AppendLog(ConfinedPath(root: root, SiteManifest.journalName))
  }

  /// Writes the list of files, which completes the export.
  func finish() throws(FileError) {
    try manifest.write(to: root)
    try FileSystem.remove(ConfinedPath(root: root, SiteManifest.journalName))
  }

  mutating func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try place(path)
    guard try replaces(path, file, PartsDigest.of(bytes)) else { return }
    try AtomicFile.write(bytes, to: file, isFlushed: false)
  }

  /// Writes a copy of a file that may be too large to be held in memory.
  mutating func copy(_ source: ConfinedPath, to path: String) throws(FileError) {
    let file = try place(path)
    guard try replaces(path, file, Self.digest(source)) else { return }
    let output = try OutputFile(file)
    try FileSystem.readChunks(source) { (bytes) throws(FileError) in try output.write(bytes) }
    _ = try output.commit()
  }

  /// Writes a file in parts.
  mutating func stream(
    to path: String, _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let file = try place(path)
    if let present = try FileSystem.status(file), present.type != .regular {
      _ = try replaces(path, file, PartsDigest.of([]))
      return
    }
    let output = try OutputFile(file)
    var digest = PartsDigest()
    try body {
      digest.add($0)
      try output.write($0)
    }
    // An output that is not committed is removed.
    if try replaces(path, file, digest.value) { _ = try output.commit() }
  }

  /// Returns whether a file is to be written with new content, and notes that in the report.
  ///
  /// A file is kept if its content is neither the new one nor one that an export wrote.
  private mutating func replaces(
    _ path: String, _ file: ConfinedPath, _ digest: ContentDigest
  ) throws(FileError) -> Bool {
    if let present = try FileSystem.status(file) {
      let old = present.type == .regular ? try Self.digest(file) : nil
      if old == digest {
        manifest.files[path] = digest
        report.unchanged += 1
        return false
      }
      guard isForced && old != nil || old.map({ manifest.isOwn($0, path) }) ?? false else {
        report.kept.append(path)
        return false
      }
    }
    try journal.append(SiteManifest.line(digest, path))
    manifest.files[path] = digest
    report.written.append(path)
    return true
  }

  /// Removes files of an earlier export, and their folders if they are empty.
  mutating func remove(_ paths: some Sequence<String>) throws(FileError) {
    for path in paths {
      let file = ConfinedPath(root: root, path)
      let isOwn = try manifest.isUnedited(path, in: root)
      guard isOwn != false else {
        // It stays listed: if its story comes back, it is an edited page and no foreign file.
        report.outdated.append(path)
        continue
      }
      manifest.files.removeValue(forKey: path)
      guard isOwn != nil else { continue }
      try FileSystem.remove(file)
      report.removed.append(path)
      FileSystem.removeEmptyFolders(above: file)
    }
  }

  private mutating func place(_ path: String) throws(FileError) -> ConfinedPath {
    let folder = Path.parent(path)
    if !folder.isEmpty, folders.insert(folder).inserted {
      try FileSystem.makeFolder(ConfinedPath(root: root, folder))
      try removeStaleFiles(in: folder)
    }
    return ConfinedPath(root: root, path)
  }

  /// Removes the temporary files of an export that was killed.
  func removeStaleFiles(in folder: String) throws(FileError) {
    let place = ConfinedPath(root: root, folder)
    for entry in try FileSystem.list(place)
    where entry.type == .regular && StaleFiles.isOne(entry.name) {
      try FileSystem.remove(Path.join(place, entry.name))
    }
  }

  /// Returns the digest of a file that may be too large to be held in memory.
  static func digest(_ file: ConfinedPath) throws(FileError) -> ContentDigest {
    var digest = PartsDigest()
    try FileSystem.readChunks(file) { (bytes) throws(FileError) in digest.add(Array(bytes)) }
    return digest.value
  }
}

/// The digest of a file that is read or made in parts, however it is divided.
struct PartsDigest {
  private var parts: [UInt8] = []
  private var rest: [UInt8] = []

  mutating func add(_ bytes: [UInt8]) {
    rest += bytes
    var start = 0
    while rest.count - start >= FileSystem.chunkSize {
      parts += ContentDigest(rest[start..<start + FileSystem.chunkSize]).description.utf8
      start += FileSystem.chunkSize
    }
    rest.removeFirst(start)
  }

  var value: ContentDigest {
    ContentDigest(rest.isEmpty ? parts : parts + ContentDigest(rest).description.utf8)
  }

  static func of(_ bytes: [UInt8]) -> ContentDigest {
    var digest = PartsDigest()
    digest.add(bytes)
    return digest.value
  }
}
