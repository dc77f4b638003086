#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The names in a folder, without `.` and `..`.
struct FolderListing: Sendable {
  /// A name that ends in `.json` and has no leading dot, like those of records and sidecars.
  struct Record: Sendable {
    /// The name without its extension.
    var name: String
    var type: FileSystem.FileType
    /// The key of a regular file, or `nil` if it was not read.
    var key: FileKey?
  }

  /// The names that records and sidecars can have, in the order of their bytes. They are built on
  /// demand, as usually ``sum`` is enough.
  var records: [Record] {
    let order = names.withUnsafeBytes { names in
      // Comparing strings and moving entries takes several times as long.
      found.indices.sorted {
        names[found[$0].name].lexicographicallyPrecedes(names[found[$1].name])
      }
    }
    return order.map { place in
      let name = String(decoding: names[found[place].name], as: UTF8.self)
      return Record(
        name: name, type: found[place].type, key: keys.isEmpty ? nil : keys[place])
    }
  }

  /// An entry of ``records``.
  private struct File {
    /// The name without its extension in ``names``, where the extension and a zero follow.
    var name: Range<Int>
    var type: FileSystem.FileType
  }

  private var found: [File] = []
  private var names: [UInt8] = []
  /// The keys of ``found``, if they were read.
  private var keys: [FileKey?] = []
  /// All other names, in no particular order.
  private(set) var others: [FileSystem.Entry] = []
  /// The names that are not UTF-8, repaired, and whether each could be a record or a folder.
  private(set) var unreadable: [(name: String, mayHoldRecords: Bool)] = []

  /// Whether all names consist of at most 200 visible ASCII characters without capitals, so that
  /// none is invalid as a record name or equal to another except for case.
  private(set) var areNamesSimple = true

  /// An order-independent sum of the names, types and keys of ``records``, or 0 if the keys
  /// were not read.
  private(set) var sum: UInt64 = 0

  /// All names that are UTF-8, in no particular order.
  var entries: [FileSystem.Entry] {
    records.map { FileSystem.Entry(name: $0.name + ".json", type: $0.type) } + others
  }

  /// Lists a folder without reading the files' keys.
  ///
  /// - Throws: `FileError`: ENOENT if the folder is missing, ELOOP or ENOTDIR for a link.
  init(_ location: some FileLocation) throws(FileError) {
    let folder = try Folder(listing: location)
    guard let stream = folder.stream() else { throw .last(.read, folder.path) }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last(.read, folder.path) }
        break
      }
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          add(name, Int32(entry.pointee.d_type), folder)
        }
      }
    }
  }

  /// Reads the keys of ``records``, and ``sum``. A file that disappears meanwhile has no key.
  mutating func readKeys(in location: some FileLocation, threads: Int) {
    guard let folder = try? Folder(listing: location) else {
      // Not the sum of an empty folder, which an index may have.
      sum = .max
      return
    }
    let names = names
    let read = Parallel.map(found, threads: threads) { file -> (key: FileKey?, sum: UInt64) in
      names.withUnsafeBytes { names in
        let name = UnsafeRawBufferPointer(rebasing: names[file.name])
        var found = stat()
        guard let start = name.baseAddress?.assumingMemoryBound(to: CChar.self),
          fstatat(folder.descriptor, start, &found, AT_SYMLINK_NOFOLLOW) == 0,
          found.st_mode & S_IFMT == S_IFREG
        else { return (nil, xxHash64(name, seed: UInt64(file.type.rawValue))) }
        let key = FileKey(FileSystem.Status(found))
        return (key, xxHash64(name, seed: withUnsafeBytes(of: key) { xxHash64($0, seed: 0) }))
      }
    }
    keys = read.map(\.key)
    sum = read.reduce(0) { $0 &+ $1.sum }
  }

  private mutating func add(_ name: UnsafePointer<CChar>, _ type: Int32, _ folder: Folder) {
    if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
    let count = strlen(name)
    let endsInJSON = count > 5 && strcmp(name + (count - 5), ".json") == 0
    let isRecord = endsInJSON && name.pointee != CChar(bitPattern: UInt8(ascii: "."))
    let bytes = UnsafeRawBufferPointer(start: name, count: isRecord ? count - 5 : count)
    let isSimple = bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && !(0x41...0x5A).contains($0) }
    let text = isSimple && isRecord ? "" : String(validating: bytes, as: UTF8.self)
    guard let text else {
      let mayHoldRecords = endsInJSON || type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN)
      return unreadable.append((String(cString: name), mayHoldRecords))
    }
    if !isSimple || count > RecordRef.longestPart { areNamesSimple = false }
    let fileType: FileSystem.FileType
    switch type {
    case Int32(DT_DIR): fileType = .folder
    case Int32(DT_LNK): fileType = .link
    case Int32(DT_REG): fileType = .regular
    case Int32(DT_UNKNOWN):
      var status = stat()
      guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
      fileType = FileSystem.Status(status).type
    default: fileType = .other
    }
    guard isRecord else { return others.append(FileSystem.Entry(name: text, type: fileType)) }
    let start = names.count
    names.append(contentsOf: UnsafeRawBufferPointer(start: name, count: count + 1))
    found.append(File(name: start..<start + bytes.count, type: fileType))
  }
}

/// The metadata that identifies one version of a file without reading it.
///
/// Writing, replacing or moving a file changes its key. Programs can reset the modification time
/// but not the status change time, which only the system sets. A file that changes within one tick
/// of the file system's clock can keep its key; see ``ScanIndex``.
struct FileKey: Sendable, Hashable, BitwiseCopyable {
  var size: Int64
  /// The modification time, in nanoseconds since 1970 (UTC).
  var modified: Int64
  /// The status change time, in nanoseconds since 1970 (UTC).
  var changed: Int64
  var inode: UInt64
  var device: UInt64

  /// The key of a missing file.
  static let missing = FileKey(FileSystem.Status(stat()))

  init(_ status: FileSystem.Status) {
    size = Int64(status.size)
    modified = Int64(status.modified)
    changed = Int64(status.changed)
    inode = status.inode
    device = status.device
  }
}
