import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls that the library uses, with errors that name the path.
///
/// No call follows a symbolic link in the last component of a path. Links in parent folders are
/// followed only for plain paths; see ``FileLocation``.
public enum FileSystem {
  /// A type of file system object.
  public enum FileType: UInt8, Sendable {
    /// A regular file.
    case regular
    /// A folder.
    case folder
    /// A symbolic link, whatever its target.
    case link
    /// A device, a pipe or a socket.
    case other
  }

  /// The metadata of a file system object.
  public struct Status: Sendable, Hashable {
    /// The type.
    public var type: FileType
    /// The size in bytes.
    public var size: Int
    /// The permission bits.
    public var mode: UInt32
    /// The modification time, in nanoseconds since 1970 (UTC).
    public var modified: Int
    /// The status change time, in nanoseconds since 1970 (UTC).
    public var changed: Int
    /// The inode number.
    public var inode: UInt64
    /// The device number.
    var device: UInt64
    /// The owner's user ID.
    public var owner: UInt32

    /// Whether this user owns it.
    public var isOwn: Bool { owner == geteuid() }

    /// Whether only this user and root can change it.
    public var isSafeFromOthers: Bool { mode & 0o022 == 0 && (isOwn || owner == 0) }

    init(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: type = .regular
      case S_IFDIR: type = .folder
      case S_IFLNK: type = .link
      default: type = .other
      }
      size = Int(status.st_size)
      mode = UInt32(status.st_mode & 0o7777)
      #if canImport(Darwin)
        let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modification, change) = (status.st_mtim, status.st_ctim)
      #endif
      modified = nanoseconds(seconds: Int(modification.tv_sec), Int(modification.tv_nsec))
      changed = nanoseconds(seconds: Int(change.tv_sec), Int(change.tv_nsec))
      inode = UInt64(status.st_ino)
      device = UInt64(truncatingIfNeeded: status.st_dev)
      owner = status.st_uid
    }
  }

  /// Returns nanoseconds since 1970, clamped to the range of `Int`.
  package static func nanoseconds(seconds: Int, _ rest: Int) -> Int {
    let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isOver) = product.addingReportingOverflow(rest)
    return isTooLarge || isOver ? (seconds < 0 ? .min : .max) : sum
  }

  /// Returns the metadata of a location, or `nil` if nothing exists there.
  ///
  /// - Throws: `FileError` if the system refuses, such as for a folder without permission, or if a
  ///   folder on a confined path is a link.
  public static func status(_ location: some FileLocation) throws(FileError) -> Status? {
    do throws(FileError) {
      let file = try location.located()
      var status = stat()
      guard fstatat(file.folder.descriptor, file.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        throw FileError.last(.read, file.path)
      }
      return Status(status)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Returns the metadata of the folder at a plain path, following links.
  ///
  /// - Throws: `FileError`.
  public static func folderStatus(_ path: String) throws(FileError) -> Status {
    guard let status = try status(path + "/.") else {
      throw FileError(.read, path: path, code: ENOENT)
    }
    return status
  }

  /// Returns whether something exists at a location, including a dangling link.
  public static func exists(_ location: some FileLocation) -> Bool {
    (try? status(location)) != nil
  }

  /// Returns whether two locations lead to the same file or folder, as names that differ only in
  /// case do on some disks; `false` if nothing exists at one of them.
  ///
  /// Some file systems give each spelling a number of its own, so the folder's listing decides then.
  package static func isOneFile(
    _ left: some FileLocation, _ right: some FileLocation
  ) throws(FileError) -> Bool {
    guard let one = try status(left), let other = try status(right) else { return false }
    if one.inode == other.inode, one.device == other.device { return true }
    let (first, second) = (try left.located(), try right.located())
    guard first.name.lowercased() == second.name.lowercased(),
      Path.parent(first.path).utf8.elementsEqual(Path.parent(second.path).utf8)
    else { return false }
    let names = try list(first.sibling(".")).map { Array($0.name.utf8) }
    return !names.contains(Array(first.name.utf8)) || !names.contains(Array(second.name.utf8))
  }

  /// Opens a file without following links. Child processes do not inherit the descriptor.
  ///
  /// - Throws: `FileError` with `operation`.
  package static func open(
    _ location: some FileLocation, _ flags: Int32, mode: UInt32 = 0o600,
    for operation: FileError.Operation = .write
  ) throws(FileError) -> Int32 {
    let file = try location.located()
    let descriptor = openat(
      file.folder.descriptor, file.name, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else { throw .last(operation, file.path) }
    return descriptor
  }

  /// Reads a regular file.
  ///
  /// - Throws: `FileError`: ENOENT if it is missing, EISDIR for a folder, ELOOP for a symbolic
  ///   link, EFBIG for more than `limit` bytes, and other system errors.
  public static func read(
    _ location: some FileLocation, limit: Int = 64 << 20
  ) throws(FileError) -> [UInt8] {
    let file = try location.located()
    // Computed lazily because only errors need it.
    var path: String { file.path }
    let descriptor = try open(file, O_RDONLY | O_NONBLOCK, for: .read)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last(.read, path) }
    switch Status(status).type {
    case .regular: break
    case .folder: throw FileError(.read, path: path, code: EISDIR)
    case .link, .other: throw FileError(.read, path: path, code: EINVAL)
    }
    guard Int(status.st_size) <= limit else { throw FileError(.read, path: path, code: EFBIG) }
    var failure: FileError?
    // One byte more than the size, to detect a file that has grown.
    let capacity = Int(status.st_size) + 1
    var bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < capacity {
        let got = Self.retried {
          systemRead(descriptor, buffer.baseAddress! + count, capacity - count)
        }
        if got < 0 { failure = .last(.read, path) }
        if got <= 0 { return }
        count += got
        // A short read means the end of a regular file.
        if count == capacity - 1 { return }
      }
    }
    if let failure { throw failure }
    guard bytes.count == capacity else { return bytes }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = Self.retried { systemRead(descriptor, &chunk, chunk.count) }
      if got < 0 { throw .last(.read, path) }
      if got == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<got])
      guard bytes.count <= limit else { throw FileError(.read, path: path, code: EFBIG) }
    }
  }

  /// Returns the digest of a regular file, or `nil` if it cannot be read.
  package static func digest(_ location: some FileLocation) -> ContentDigest? {
    (try? read(location)).map { ContentDigest($0) }
  }

  /// Reads until a buffer is full or the file ends, and returns the number of bytes.
  ///
  /// - Parameter offset: Where to read; `nil` for the file's current position.
  static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int? = nil,
    path: @autoclosure () -> String
  ) throws(FileError) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let got = retried {
        offset.map { pread(descriptor, rest.baseAddress, rest.count, off_t($0 + count)) }
          ?? systemRead(descriptor, rest.baseAddress, rest.count)
      }
      if got < 0 { throw .last(.read, path()) }
      if got == 0 { break }
      count += got
    }
    return count
  }

  /// Reads all bytes from an open file, such as a pipe, up to its end, an error or 64 MiB.
  package static func readAll(from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= 64 << 20 {
      let count = retried { systemRead(descriptor, &chunk, chunk.count) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// A name in a folder.
  public struct Entry: Sendable, Hashable {
    /// The name without the folder.
    public var name: String
    /// The type; symbolic links are not followed.
    public var type: FileType
  }

  /// Lists the names in a folder in byte order, without `.` and `..`.
  ///
  /// Names that are not UTF-8 are omitted: no record can have one.
  /// - Throws: `FileError`: ENOENT if the folder is missing, ELOOP or ENOTDIR for a link.
  public static func list(_ folder: some FileLocation) throws(FileError) -> [Entry] {
    try FolderListing(folder).entries.sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }

  /// Creates a folder and its missing parents. Does nothing if the folder exists.
  ///
  /// - Throws: `FileError`, with EEXIST if the name belongs to something other than a folder.
  public static func makeFolder(_ path: String, mode: UInt32 = 0o777) throws(FileError) {
    do throws(FileError) {
      try makeOneFolder(path, mode)
    } catch {
      let parent = Path.parent(path)
      guard error.code == ENOENT, !parent.isEmpty, parent != path else { throw error }
      try makeFolder(parent)
      try makeOneFolder(path, mode)
    }
  }

  private static func makeOneFolder(_ path: String, _ mode: UInt32) throws(FileError) {
    if mkdir(path, mode_t(mode)) == 0 { return }
    let error = FileError.last(.makeFolder, path)
    var status = stat()
    guard error.isPresent, systemStat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw error
    }
  }

  /// Creates a folder and its missing parents below the root, and flushes their names.
  ///
  /// - Parameters:
  ///   - path: The folder, below an existing root.
  ///   - mode: The permission bits of each new folder.
  /// - Throws: `FileError`: ELOOP if a parent is a symbolic link, ENOTDIR if it is a file.
  public static func makeFolder(_ path: ConfinedPath, mode: UInt32 = 0o777) throws(FileError) {
    _ = try Folder(path, making: mode)
  }

  /// Sets the permission bits of a file or folder without following links.
  package static func setMode(
    _ location: some FileLocation, _ mode: UInt32
  ) throws(FileError) {
    let file = try location.located()
    guard fchmodat(file.folder.descriptor, file.name, mode_t(mode), AT_SYMLINK_NOFOLLOW) == 0
    else { throw .last(.write, file.path) }
  }

  /// Sets the modification time of a file without following links.
  ///
  /// - Parameters:
  ///   - location: The file.
  ///   - modified: Nanoseconds since 1970 (UTC), as in ``Status/modified``.
  /// - Throws: `FileError`.
  public static func setModified(
    _ location: some FileLocation, _ modified: Int
  ) throws(FileError) {
    let file = try location.located()
    let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: seconds, tv_nsec: rest)
    let times = [time, time]
    guard utimensat(file.folder.descriptor, file.name, times, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .last(.write, file.path)
    }
  }

  /// Removes a file. Does nothing if the file is missing.
  ///
  /// - Throws: `FileError`.
  public static func remove(_ location: some FileLocation) throws(FileError) {
    do throws(FileError) {
      let file = try location.located()
      guard unlinkat(file.folder.descriptor, file.name, 0) == 0 else {
        throw FileError.last(.remove, file.path)
      }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  /// Removes a folder if it is empty.
  ///
  /// - Returns: Whether the folder was removed.
  @discardableResult
  public static func removeFolderIfEmpty(_ location: some FileLocation) -> Bool {
    guard let file = try? location.located() else { return false }
    return unlinkat(file.folder.descriptor, file.name, AT_REMOVEDIR) == 0
  }

  /// Removes the folders above a path that are empty, up to the folder `top` below the same root, which
  /// stays.
  package static func removeEmptyFolders(above path: ConfinedPath, below top: String = "") {
    var folder = Path.parent(path)
    while folder.relative != top, removeFolderIfEmpty(folder) { folder = Path.parent(folder) }
  }

  /// Removes a file or a folder with its contents. Links are removed, not followed.
  ///
  /// - Throws: `FileError` for the first thing that cannot be removed.
  public static func removeTree(_ location: some FileLocation) throws(FileError) {
    guard let status = try status(location) else { return }
    let file = try location.located()
    guard status.type == .folder else { return try remove(file) }
    let folder = try Folder(listing: file)
    for entry in try list(file) { try removeTree(LocatedFile(folder: folder, name: entry.name)) }
    guard unlinkat(file.folder.descriptor, file.name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      throw .last(.remove, file.path)
    }
  }

  /// Renames a file, replacing any file with the new name.
  ///
  /// - Throws: `FileError`.
  public static func rename(
    _ from: some FileLocation, to: some FileLocation
  ) throws(FileError) {
    let (from, to) = (try from.located(), try to.located())
    guard renameat(from.folder.descriptor, from.name, to.folder.descriptor, to.name) == 0 else {
      throw .last(.rename, to.path)
    }
  }

  /// Writes all bytes to an open file.
  ///
  /// - Parameter offset: Where to write; `nil` for the file's current position.
  /// - Returns: The system's error number, or 0. After an error, some of the bytes may have been written.
  package static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
  ) -> Int32 {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let place = offset.map { $0 + bytes.count - rest.count }
      let count =
        place.map { pwrite(descriptor, start, rest.count, off_t($0)) }
        ?? systemWrite(descriptor, start, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count < 0, errno == EAGAIN {
        // Somebody made the stream non-blocking; wait until it takes more.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if count == 0 || errno != EINTR {
        return count == 0 ? EIO : errno
      }
    }
    return 0
  }

  /// Returns the number of bytes that this user may still write to the disk that contains `path`,
  /// or the maximum value if the system does not say.
  public static func freeSpace(_ path: String) -> UInt64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    let (bytes, isTooLarge) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooLarge ? .max : bytes
  }

  static func retried(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result < 0, errno == EINTR { continue }
      return result
    }
  }
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, buffer, count)
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
  write(file, buffer, count)
}

private func systemStat(_ path: String, _ status: inout stat) -> Int32 { stat(path, &status) }
