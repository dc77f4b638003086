import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files made by the server: `media/{account}/{record}/{file}` in its data folder.
///
/// A record's folder is named by a digest of its kind and id, so that an id never becomes a file
/// name. A file appears complete or not at all, and is deleted with its record. It is written in
/// `media/.new`, which the next server removes if one was killed. Lost files can be made again from
/// the records, so only the file itself is flushed.
final class MediaFolder: Sendable {
  private let folder: ConfinedPath
  private let isTemporary: Bool
  /// The total size of each account's files, computed on first use.
  private let sizes = Monitor<[Int: Int]>([:])

  /// Creates nothing on disk before the first file. The data folder must be locked.
  ///
  /// - Parameter dataFolder: The data folder, or `nil` for files that disappear with the server.
  init(dataFolder: ConfinedPath?) {
    isTemporary = dataFolder == nil
    folder =
      dataFolder.map { Path.join($0, "media") }
      ?? ConfinedPath(root: "/tmp", "stories-media-" + RandomKey.make())
    if !isTemporary { try? FileSystem.removeTree(newFiles) }
  }

  var path: String { folder.text }

  deinit { discard() }

  /// Removes a temporary folder. Add no files after this.
  func discard() {
    if isTemporary { try? FileSystem.removeTree(folder) }
  }

  // MARK: Files

  private var newFiles: ConfinedPath { Path.join(folder, ".new") }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - limit: The maximum total size of the account's files in bytes, including this one.
  ///   - pause: Called after the file is written and before it is moved into place.
  /// - Throws: `APIFailure` with status 507 if the limit is reached or the disk is full. In that
  ///   case no file is left.
  func add(
    _ name: MediaName, _ bytes: [UInt8], limit: Int, pause: () -> Void = {}
  ) throws(APIFailure) {
    let total = size(ofAccount: name.account)
    guard total + bytes.count <= limit else {
      throw APIFailure(
        507, "mediaFull",
        "The pictures and narrations of this account take \(total) bytes; "
          + "\(limit) are kept. Delete stories or heroes that are no longer needed.")
    }
    let new = Path.join(newFiles, name.file)
    let file = path(of: name)
    do {
      try FileSystem.makeFolder(newFiles, mode: 0o700)
      try FileSystem.remove(new)
      try AtomicFile.writePrivate(bytes, to: new)
      pause()
      // Removing the record's last file at the same time also removes its folder, so try once more.
      do { try move(new, to: file) } catch { try move(new, to: file) }
    } catch {
      try? FileSystem.remove(new)
      FileSystem.removeFolderIfEmpty(Path.parent(file))
      var reason = "The server cannot write to its folder for pictures and narrations."
      if let error = error as? FileError, error.isLink {
        reason =
          "\(error.path) is a symbolic link, which is not followed; put a folder in its place."
      }
      throw APIFailure(507, "storage", reason)
    }
    sizes.withLock { if let all = $0[name.account] { $0[name.account] = all + bytes.count } }
  }

  private func move(_ new: ConfinedPath, to file: ConfinedPath) throws {
    try FileSystem.makeFolder(Path.parent(file), mode: 0o700)
    try FileSystem.rename(new, to: file)
  }

  func open(_ name: MediaName) -> MediaFile? { MediaFile(path(of: name)) }

  /// Removes the files of a record, except one that it still references.
  func remove(_ kind: RecordKind, _ record: RecordID, of account: Int, except kept: String? = nil) {
    let path = path(account, kind, record)
    for file in names(in: path) where file != kept { remove(Path.join(path, file), of: account) }
    if kept == nil { FileSystem.removeFolderIfEmpty(path) }
  }

  /// Removes the files of records that an account does not have, except those that were added in the
  /// last hour: their record may be about to be written.
  ///
  /// - Parameter records: Returns the account's records. Only called if there are files.
  func sweep(_ account: Int, keeping records: () -> [(kind: RecordKind, id: RecordID)]) {
    let folder = Path.join(folder, "\(account)")
    var names = Set(names(in: folder))
    guard !names.isEmpty else { return }
    for record in records() { names.remove(Self.folderName(record.kind, record.id)) }
    let limit = (time(nil) - 3_600) * 1_000_000_000
    var isChanged = false
    for name in names {
      let path = Path.join(folder, name)
      if let status = try? FileSystem.status(path), status.modified < limit {
        try? FileSystem.removeTree(path)
        isChanged = true
      }
    }
    if isChanged { sizes.withLock { $0[account] = nil } }
  }

  func remove(_ name: MediaName) {
    let path = path(of: name)
    remove(path, of: name.account)
    FileSystem.removeFolderIfEmpty(Path.parent(path))
  }

  private func remove(_ file: ConfinedPath, of account: Int) {
    guard let status = try? FileSystem.status(file), (try? FileSystem.remove(file)) != nil else {
      return
    }
    sizes.withLock { if let all = $0[account] { $0[account] = max(0, all - status.size) } }
  }

  /// Returns the total size of an account's files in bytes.
  func size(ofAccount account: Int) -> Int {
    sizes.withLock { sizes in
      if let size = sizes[account] { return size }
      let path = Path.join(folder, "\(account)")
      let files = names(in: path).flatMap { record in
        names(in: Path.join(path, record)).map { Path.join(path, "\(record)/\($0)") }
      }
      let size = files.reduce(0) { $0 + ((try? FileSystem.status($1))?.size ?? 0) }
      sizes[account] = size
      return size
    }
  }

  private func names(in folder: ConfinedPath) -> [String] {
    ((try? FileSystem.list(folder)) ?? []).map(\.name)
  }

  // MARK: Names

  private func path(of name: MediaName) -> ConfinedPath {
    Path.join(path(name.account, name.kind, name.record), name.file)
  }

  private func path(_ account: Int, _ kind: RecordKind, _ record: RecordID) -> ConfinedPath {
    Path.join(folder, "\(account)/\(Self.folderName(kind, record))")
  }

  private static func folderName(_ kind: RecordKind, _ record: RecordID) -> String {
    SHA256.digest("\(kind.rawValue)/\(record.text)").half.text
  }
}

/// An open file, closed with its last reference. It stays readable when it is removed.
final class MediaFile: Sendable {
  private let descriptor: Int32
  let size: Int

  init?(_ path: ConfinedPath) {
    descriptor = (try? FileSystem.open(path, O_RDONLY | O_NONBLOCK, for: .read)) ?? -1
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else {
      size = 0
      return nil
    }
    size = Int(status.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads bytes from an offset into a buffer.
  ///
  /// - Returns: The number of bytes, or 0 at the end of the file and on errors.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      return max(0, count)
    }
  }
}
