import Foundation

/// A file that only its owner can read and change.
struct PrivateFile {
  let folder: String
  let name: String

  var path: String { folder + "/" + name }

  /// Reads the file, or returns `nil` if it is missing.
  ///
  /// - Throws: `TokenStoreError.openToOthers` if anyone else can read or change the file or change
  ///   the folder; `system` if it cannot be read or is not a regular file.
  func read() throws(TokenStoreError) -> [UInt8]? {
    // Do not follow a link, which could lead to another user's file.
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure(path)
    }
    defer { close(file) }
    try check(file)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Foundation.read(file, &chunk, chunk.count)
      guard count >= 0 else { throw failure(path) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= 4 << 20 else {
        throw .damaged(path: path, why: "it is larger than 4 MiB")
      }
    }
  }

  /// Replaces the file atomically: a crash leaves either the old or the new content.
  ///
  /// Creates a missing folder. Both are accessible only to this user.
  ///
  /// - Throws: `TokenStoreError.system` if the system refuses, `openToOthers` if others can still
  ///   write it.
  func write(_ bytes: [UInt8]) throws(TokenStoreError) {
    try prepareFolder()
    let temporary = "\(path).\(UInt64.random(in: 0 ... .max)).tmp"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(temporary) }
    var sent = 0
    var isWhole = true
    while isWhole, sent < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        Foundation.write(file, raw.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      isWhole = count > 0
      sent += max(count, 0)
    }
    isWhole = isWhole && fsync(file) == 0
    let problem = isWhole ? nil : failure(temporary)
    close(file)
    if let problem {
      unlink(temporary)
      throw problem
    }
    guard rename(temporary, path) == 0 else {
      let problem = failure(path)
      unlink(temporary)
      throw problem
    }
    flushFolder()
  }

  /// Removes the file. Does nothing if it is missing.
  ///
  /// - Throws: `TokenStoreError.system` if the system refuses.
  func remove() throws(TokenStoreError) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw failure(path) }
    flushFolder()
  }

  /// Calls `work` while excluding other processes from the file.
  ///
  /// - Throws: `TokenStoreError.system` if the lock cannot be taken, and the errors of `work`.
  func locked<Value>(
    _ work: () throws(TokenStoreError) -> Value
  ) throws(TokenStoreError) -> Value {
    try prepareFolder()
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw failure(path + ".lock") }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(path + ".lock") }
    }
    return try work()
  }

  private func prepareFolder() throws(TokenStoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .system(path: folder, why: error.localizedDescription)
    }
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure(folder) }
    if status.st_mode & 0o077 != 0 { _ = chmod(folder, 0o700) }
    guard stat(folder, &status) == 0 else { throw failure(folder) }
    guard status.st_mode & 0o022 == 0 else { throw .openToOthers(path: folder) }
  }

  private func check(_ file: Int32) throws(TokenStoreError) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .damaged(path: path, why: "it is no plain file")
    }
    guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
      throw .openToOthers(path: path)
    }
    guard stat(folder, &status) == 0 else { throw failure(folder) }
    guard status.st_mode & 0o022 == 0, status.st_uid == geteuid() || status.st_uid == 0 else {
      throw .openToOthers(path: folder)
    }
  }

  private func flushFolder() {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func failure(_ path: String) -> TokenStoreError {
    .system(path: path, why: String(cString: strerror(errno)))
  }
}
