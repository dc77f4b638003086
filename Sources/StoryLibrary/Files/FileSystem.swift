#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls that the library makes, with errors that name the path.
///
/// No call follows a symbolic link in the last component of a path.
public enum FileSystem {
  /// What kind of thing a path names.
  public enum FileType: Sendable {
    /// A file with content.
    case regular
    /// A folder.
    case folder
    /// A symbolic link, whatever it points to.
    case link
    /// A device, a pipe or a socket.
    case other
  }

  /// What the system tells of a path without opening it.
  public struct Status: Sendable, Hashable {
    /// What kind of thing it is.
    public var type: FileType
    /// The size in bytes.
    public var size: Int
    /// The permission bits.
    public var mode: UInt32
    /// The time of the last change of content, in nanoseconds since 1970 (UTC).
    public var modified: Int
    /// The time of the last change of content or status, in nanoseconds since 1970 (UTC).
    public var changed: Int
    /// The file's number on its device.
    public var inode: UInt64
    /// The device.
    public var device: UInt64

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
      modified = Int(modification.tv_sec) * 1_000_000_000 + Int(modification.tv_nsec)
      changed = Int(change.tv_sec) * 1_000_000_000 + Int(change.tv_nsec)
      inode = UInt64(status.st_ino)
      device = UInt64(truncatingIfNeeded: status.st_dev)
    }
  }

  /// What is at `path`; `nil` where nothing is.
  ///
  /// - Throws: `FileError` where the system does not tell, such as for a folder without permission.
  public static func status(_ path: String) throws(FileError) -> Status? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      let error = FileError.last(.read, path)
      if error.isMissing { return nil }
      throw error
    }
    return Status(status)
  }

  /// Whether something is at `path`, be it a link that points nowhere.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The bytes of a regular file.
  ///
  /// - Throws: `FileError`: ENOENT where there is none, EISDIR for a folder, ELOOP for a symbolic
  ///   link, EFBIG for more than `limit` bytes, and whatever else the system says.
  public static func read(
    _ path: String, limit: Int = 1 << 32
  ) throws(FileError) -> [UInt8] {
    try readWithKey(path, limit: limit).bytes
  }

  /// The bytes of a regular file, and the key that it had before they were read.
  static func readWithKey(
    _ path: String, limit: Int = 1 << 32
  ) throws(FileError) -> (bytes: [UInt8], key: FileKey) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last(.read, path) }
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
    // One byte more than the size, so that a file that grew meanwhile is noticed.
    let capacity = Int(status.st_size) + 1
    var bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < capacity {
        let got = Self.retried {
          systemRead(descriptor, buffer.baseAddress! + count, capacity - count)
        }
        if got < 0 { failure = .last(.read, path) }
        if got <= 0 { return }
        count += got
        // That was less than it asked for: the end of a regular file.
        if count == capacity - 1 { return }
      }
    }
    if let failure { throw failure }
    let key = FileKey(status)
    guard bytes.count == capacity else { return (bytes, key) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = Self.retried { systemRead(descriptor, &chunk, chunk.count) }
      if got < 0 { throw .last(.read, path) }
      if got == 0 { return (bytes, key) }
      bytes.append(contentsOf: chunk[..<got])
      guard bytes.count <= limit else { throw FileError(.read, path: path, code: EFBIG) }
    }
  }

  /// One name in a folder.
  public struct Entry: Sendable, Hashable {
    /// The name, without the folder.
    public var name: String
    /// What it is; a symbolic link is one, whatever it points to.
    public var type: FileType
  }

  /// The names in a folder in the order of their bytes, without `.` and `..`.
  ///
  /// A name that is not UTF-8 is left out: no record can have it.
  /// - Throws: `FileError`; ENOENT where there is no such folder, ELOOP or ENOTDIR for a link.
  public static func list(_ folder: String) throws(FileError) -> [Entry] {
    try listing(of: folder).entries
  }

  /// The names in a folder, and those that are not UTF-8 with signs in place of what is not.
  static func listing(
    of folder: String
  ) throws(FileError) -> (entries: [Entry], unreadable: [String]) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.read, folder) }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw .last(.read, folder)
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    var unreadable: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last(.read, folder) }
        break
      }
      let (name, isValid) = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { text in
          let name = String(validatingCString: text)
          return (name ?? String(cString: text), name != nil)
        }
      }
      guard isValid else {
        unreadable.append(name)
        continue
      }
      if name == "." || name == ".." { continue }
      let type: FileType? =
        switch Int32(entry.pointee.d_type) {
        case Int32(DT_REG): .regular
        case Int32(DT_DIR): .folder
        case Int32(DT_LNK): .link
        case Int32(DT_UNKNOWN): try status(folder + "/" + name)?.type
        default: .other
        }
      if let type { entries.append(Entry(name: name, type: type)) }
    }
    entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return (entries, unreadable.sorted())
  }

  /// Makes a folder and those above it; nothing happens where it is there.
  ///
  /// - Throws: `FileError`; EEXIST where something else than a folder has the name.
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

  /// Changes the permission bits of a file or folder.
  ///
  /// - Throws: `FileError`.
  static func setMode(_ path: String, _ mode: UInt32) throws(FileError) {
    guard chmod(path, mode_t(mode)) == 0 else { throw .last(.write, path) }
  }

  /// Removes a file; nothing happens where there is none.
  ///
  /// - Throws: `FileError`.
  public static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last(.remove, path) }
  }

  /// Removes a folder where it is empty.
  ///
  /// - Returns: whether it is gone.
  @discardableResult
  public static func removeFolderIfEmpty(_ path: String) -> Bool { rmdir(path) == 0 }

  /// Removes whatever is at `path`, with all that a folder holds; links are removed, not followed.
  ///
  /// - Throws: `FileError` at the first thing that cannot be removed.
  public static func removeTree(_ path: String) throws(FileError) {
    guard let status = try status(path) else { return }
    guard status.type == .folder else { return try remove(path) }
    for entry in try list(path) { try removeTree(path + "/" + entry.name) }
    guard rmdir(path) == 0 || errno == ENOENT else { throw .last(.remove, path) }
  }

  /// Gives a file another name; what had that name is replaced.
  ///
  /// - Throws: `FileError`.
  public static func rename(_ from: String, to: String) throws(FileError) {
    guard systemRename(from, to) == 0 else { throw .last(.rename, to) }
  }

  static func retried(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result < 0, errno == EINTR { continue }
      return result
    }
  }
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, buffer, count)
}

private func systemRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }

private func systemStat(_ path: String, _ status: inout stat) -> Int32 { stat(path, &status) }
