#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that the server made: `media/{account}/{record}/{file}` in its data folder.
///
/// A record's folder is named by a digest of its kind and id, so that no id becomes a file name. A
/// file appears whole or not at all, and goes with its record. What is lost here can be made again
/// from the records, so nothing is flushed but the file itself.
final class MediaFolder: Sendable {
  let path: String
  /// Whether the folder goes with the server.
  private let isTemporary: Bool
  /// The bytes of each account's files, counted when they are first asked for.
  private let sizes = Monitor<[Int: Int]>([:])

  /// Nothing is made on disk before the first file is.
  ///
  /// - Parameter dataFolder: `nil` for files that are gone with the server.
  init(dataFolder: String?) {
    if let dataFolder {
      path = dataFolder + "/media"
      isTemporary = false
    } else {
      let name = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }
      path = "/tmp/stories-media-" + name.joined()
      isTemporary = true
    }
  }

  deinit { discard() }

  /// Removes what goes with the server. No file is added after that.
  func discard() { if isTemporary { Self.removeTree(path) } }

  // MARK: Files

  /// Makes a file.
  ///
  /// - Parameters:
  ///   - limit: how many bytes the account's files may have together, this one included.
  ///   - make: writes the file at a path of its own.
  /// - Throws: `APIFailure` 507 where the limit is reached or the disk full, and what `make` throws;
  ///   there is no file then.
  func add(
    _ name: MediaName, limit: Int, _ make: (_ path: String) throws(APIFailure) -> Void
  ) throws(APIFailure) {
    let folder = folder(of: name)
    for folder in [path, "\(path)/\(name.account)", folder] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.full }
    }
    let temporary = "\(folder)/.new-\(name.file)"
    do throws(APIFailure) {
      try make(temporary)
      let size = try Self.flushed(temporary)
      let total = self.size(ofAccount: name.account)
      guard total + size <= limit else {
        throw APIFailure(
          507, "mediaFull",
          "The pictures and narrations of this account take \(total) bytes; "
            + "\(limit) are kept. Delete stories or heroes that are no longer needed.")
      }
      guard rename(temporary, "\(folder)/\(name.file)") == 0 else { throw Self.full }
      sizes.withLock { $0[name.account, default: 0] += size }
    } catch {
      unlink(temporary)
      rmdir(folder)
      throw error
    }
  }

  static let full = APIFailure(
    507, "storage", "The server cannot write to its folder for pictures and narrations.")

  private static func flushed(_ path: String) throws(APIFailure) -> Int {
    let descriptor = opened(path, O_RDWR)
    guard descriptor >= 0 else { throw full }
    defer { close(descriptor) }
    _ = fchmod(descriptor, 0o600)
    var status = stat()
    guard Platform.flush(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw full }
    return Int(status.st_size)
  }

  /// Opens a file; `nil` where it is not there.
  func open(_ name: MediaName) -> MediaFile? {
    MediaFile(path: "\(folder(of: name))/\(name.file)")
  }

  /// Removes the files of a record, but for one that it still names.
  func remove(_ kind: RecordKind, _ record: RecordID, of account: Int, except kept: String? = nil) {
    let folder = folder(account, kind, record)
    for file in Self.names(in: folder) {
      if let kept, kept.utf8.elementsEqual(file.utf8) { continue }
      let size = Self.size(of: "\(folder)/\(file)")
      if unlink("\(folder)/\(file)") == 0 {
        sizes.withLock { if let all = $0[account] { $0[account] = max(0, all - size) } }
      }
    }
    if kept == nil { rmdir(folder) }
  }

  /// Removes the files of records that an account does not have.
  ///
  /// - Parameter records: gives the records that are there; asked only where there are files.
  func sweep(_ account: Int, keeping records: () -> [(kind: RecordKind, id: RecordID)]) {
    let folder = "\(path)/\(account)"
    var names = Set(Self.names(in: folder))
    guard !names.isEmpty else { return }
    for record in records() { names.remove(Self.folderName(record.kind, record.id)) }
    for name in names { Self.removeTree("\(folder)/\(name)") }
    sizes.withLock { $0[account] = nil }
  }

  /// Removes a file.
  func remove(_ name: MediaName) {
    let folder = folder(of: name)
    let size = Self.size(of: "\(folder)/\(name.file)")
    guard unlink("\(folder)/\(name.file)") == 0 else { return }
    rmdir(folder)
    sizes.withLock { if let all = $0[name.account] { $0[name.account] = max(0, all - size) } }
  }

  /// How many bytes an account's files have.
  func size(ofAccount account: Int) -> Int {
    sizes.withLock { sizes in
      if let size = sizes[account] { return size }
      let folder = "\(path)/\(account)"
      let size = Self.names(in: folder).reduce(0) { size, record in
        Self.names(in: "\(folder)/\(record)").reduce(size) {
          $0 + Self.size(of: "\(folder)/\(record)/\($1)")
        }
      }
      sizes[account] = size
      return size
    }
  }

  // MARK: Names

  private func folder(of name: MediaName) -> String {
    folder(name.account, name.kind, name.record)
  }

  private func folder(_ account: Int, _ kind: RecordKind, _ record: RecordID) -> String {
    "\(path)/\(account)/\(Self.folderName(kind, record))"
  }

  private static func folderName(_ kind: RecordKind, _ record: RecordID) -> String {
    SHA256.digest("\(kind.rawValue)/\(record.text)").half.text
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func removeTree(_ path: String) {
    for name in names(in: path) {
      if unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
    }
    rmdir(path)
  }
}

/// An open file, closed with the last reference to it; it can be read to its end even when it is
/// removed meanwhile.
final class MediaFile: Sendable {
  private let descriptor: Int32
  /// The length in bytes.
  let size: Int

  init?(path: String) {
    descriptor = opened(path, O_RDONLY)
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

private func opened(_ path: String, _ mode: Int32) -> Int32 {
  open(path, mode | O_CLOEXEC | O_NOFOLLOW)
}
