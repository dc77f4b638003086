import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that the server made: `media/{account}/{record}/{file}` in its data folder.
///
/// A record's folder is named by a digest of its kind and id, so that no id becomes a file name. A
/// file appears whole or not at all, and goes with its record: it is made in `media/.new`, which a
/// server that was killed leaves behind and the next one removes. What is lost here can be made again
/// from the records, so nothing is flushed but the file itself.
final class MediaFolder: Sendable {
  private let folder: DataPath
  /// Whether the folder goes with the server.
  private let isTemporary: Bool
  /// The bytes of each account's files, counted when they are first asked for.
  private let sizes = Monitor<[Int: Int]>([:])

  /// Nothing is made on disk before the first file is. The data folder has to be locked.
  ///
  /// - Parameter dataFolder: `nil` for files that are gone with the server.
  init(dataFolder: DataPath?) {
    if let dataFolder {
      folder = dataFolder.appending("media")
      isTemporary = false
      OpenFolder(folder)?.removeTree(Self.newFiles)
    } else {
      folder = DataPath(root: "/tmp", relative: "stories-media-" + RandomKey.make())
      isTemporary = true
    }
  }

  /// The folder's path.
  var path: String { folder.text }

  deinit { discard() }

  /// Removes what goes with the server. No file is added after that.
  func discard() {
    if isTemporary { OpenFolder(DataPath(root: folder.root))?.removeTree(folder.relative) }
  }

  // MARK: Files

  /// The folder of files that are being made.
  private static let newFiles = ".new"

  /// Makes a file.
  ///
  /// - Parameters:
  ///   - limit: how many bytes the account's files may have together, this one included.
  ///   - make: writes the file under a name of its own.
  /// - Throws: `APIFailure` 507 where the limit is reached or the disk full, and what `make` throws;
  ///   there is no file then.
  func add(
    _ name: MediaName, limit: Int, _ make: (_ file: NewFile) throws(APIFailure) -> Void
  ) throws(APIFailure) {
    let path = path(of: name)
    let new = NewFile(folder: try Self.made(self.folder.appending(Self.newFiles)), name: name.file)
    // A program that writes it would follow a link.
    new.folder.remove(new.name)
    do throws(APIFailure) {
      try make(new)
      let size = try Self.flushed(new)
      let total = self.size(ofAccount: name.account)
      guard total + size <= limit else {
        throw APIFailure(
          507, "mediaFull",
          "The pictures and narrations of this account take \(total) bytes; "
            + "\(limit) are kept. Delete stories or heroes that are no longer needed.")
      }
      // Whoever removes the last file of a record meanwhile takes the folder with it: once more then.
      var isThere = new.folder.rename(new.name, to: name.file, in: try Self.made(path))
      if !isThere {
        isThere = new.folder.rename(new.name, to: name.file, in: try Self.made(path))
      }
      guard isThere else { throw Self.full }
      sizes.withLock { $0[name.account, default: 0] += size }
    } catch {
      new.folder.remove(new.name)
      removeIfEmpty(path)
      throw error
    }
  }

  private static func made(_ path: DataPath) throws(APIFailure) -> OpenFolder {
    guard let folder = OpenFolder(path, making: true) else {
      throw errno == ELOOP ? linked(path) : full
    }
    return folder
  }

  private static func linked(_ path: DataPath) -> APIFailure {
    APIFailure(
      507, "storage",
      "A folder on the way to \(path.relative) is a symbolic link, which is not followed; "
        + "put a folder in its place.")
  }

  static let full = APIFailure(
    507, "storage", "The server cannot write to its folder for pictures and narrations.")

  private static func flushed(_ file: NewFile) throws(APIFailure) -> Int {
    let descriptor = file.folder.open(file.name, O_RDWR)
    guard descriptor >= 0 else { throw full }
    defer { close(descriptor) }
    _ = fchmod(descriptor, 0o600)
    var status = stat()
    guard Platform.flush(descriptor) == 0, fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { throw full }
    return Int(status.st_size)
  }

  /// Opens a file; `nil` where it is not there.
  func open(_ name: MediaName) -> MediaFile? {
    OpenFolder(path(of: name)).flatMap { MediaFile($0, name.file) }
  }

  /// Removes the files of a record, but for one that it still names.
  func remove(_ kind: RecordKind, _ record: RecordID, of account: Int, except kept: String? = nil) {
    let path = path(account, kind, record)
    guard let folder = OpenFolder(path) else { return }
    for file in folder.names {
      if let kept, kept.utf8.elementsEqual(file.utf8) { continue }
      let size = folder.size(of: file)
      if folder.remove(file) {
        sizes.withLock { if let all = $0[account] { $0[account] = max(0, all - size) } }
      }
    }
    if kept == nil { removeIfEmpty(path) }
  }

  /// Removes the files of records that an account does not have.
  ///
  /// - Parameter records: gives the records that are there; asked only where there are files.
  func sweep(_ account: Int, keeping records: () -> [(kind: RecordKind, id: RecordID)]) {
    guard let folder = OpenFolder(folder.appending("\(account)")) else { return }
    var names = Set(folder.names)
    guard !names.isEmpty else { return }
    for record in records() { names.remove(Self.folderName(record.kind, record.id)) }
    for name in names { folder.removeTree(name) }
    sizes.withLock { $0[account] = nil }
  }

  /// Removes a file.
  func remove(_ name: MediaName) {
    guard let folder = OpenFolder(path(of: name)) else { return }
    let size = folder.size(of: name.file)
    guard folder.remove(name.file) else { return }
    removeIfEmpty(path(of: name))
    sizes.withLock { if let all = $0[name.account] { $0[name.account] = max(0, all - size) } }
  }

  /// How many bytes an account's files have.
  func size(ofAccount account: Int) -> Int {
    sizes.withLock { sizes in
      if let size = sizes[account] { return size }
      let path = folder.appending("\(account)")
      let size = (OpenFolder(path)?.names ?? []).reduce(0) { size, record in
        guard let folder = OpenFolder(path.appending(record)) else { return size }
        return folder.names.reduce(size) { $0 + folder.size(of: $1) }
      }
      sizes[account] = size
      return size
    }
  }

  // MARK: Names

  private func path(of name: MediaName) -> DataPath {
    path(name.account, name.kind, name.record)
  }

  private func path(_ account: Int, _ kind: RecordKind, _ record: RecordID) -> DataPath {
    folder.appending("\(account)/\(Self.folderName(kind, record))")
  }

  private func removeIfEmpty(_ path: DataPath) {
    guard let slash = path.relative.lastIndex(of: "/") else { return }
    let parent = DataPath(root: path.root, relative: String(path.relative[..<slash]))
    let name = String(path.relative[path.relative.index(after: slash)...])
    if let folder = OpenFolder(parent) { unlinkat(folder.descriptor, name, AT_REMOVEDIR) }
  }

  private static func folderName(_ kind: RecordKind, _ record: RecordID) -> String {
    SHA256.digest("\(kind.rawValue)/\(record.text)").half.text
  }
}

/// An open file, closed with the last reference to it; it can be read to its end even when it is
/// removed meanwhile.
final class MediaFile: Sendable {
  private let descriptor: Int32
  /// The length in bytes.
  let size: Int

  init?(_ folder: OpenFolder, _ name: String) {
    descriptor = folder.open(name, O_RDONLY | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else {
      size = 0
      return nil
    }
    size = Int(status.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Fills a buffer from an offset.
  ///
  /// - Returns: how many bytes there were; 0 where there are none or they cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      return max(0, count)
    }
  }
}
