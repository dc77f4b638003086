import StoryLibrary

/// A file that only its owner can read and change.
struct PrivateFile {
  let folder: String
  let name: String

  var path: String { folder + "/" + name }

  /// Reads the file, or returns `nil` if it is missing.
  ///
  /// - Throws: `TokenStoreError.openToOthers` if anyone else can read or change the file or change
  ///   the folder; `damaged` if it is not a regular file; `system` if it cannot be read.
  func read() throws(TokenStoreError) -> [UInt8]? {
    do {
      guard let status = try FileSystem.status(path) else { return nil }
      // Reading does not follow a link, which could lead to another user's file.
      guard status.type != .folder, status.type != .other else {
        throw TokenStoreError.damaged(path: path, why: "it is no plain file")
      }
      guard status.type == .link || status.isSafeFromOthers && status.mode & 0o077 == 0 else {
        throw TokenStoreError.openToOthers(path: path)
      }
      guard try FileSystem.folderStatus(folder).isSafeFromOthers else {
        throw TokenStoreError.openToOthers(path: folder)
      }
      return try FileSystem.read(path, limit: 4 << 20)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Replaces the file atomically: a crash leaves either the old or the new content.
  ///
  /// Creates a missing folder. Both are accessible only to this user.
  ///
  /// - Throws: `TokenStoreError.system` if the system refuses, `openToOthers` if others can still
  ///   write it.
  func write(_ bytes: [UInt8]) throws(TokenStoreError) {
    do {
      try prepareFolder()
      try AtomicFile.write(bytes, to: path, mode: 0o600)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Calls `work` while excluding other processes from the file.
  ///
  /// - Throws: `TokenStoreError.system` if the lock cannot be taken, and the errors of `work`.
  func locked<Value>(
    _ work: () throws(TokenStoreError) -> Value
  ) throws(TokenStoreError) -> Value {
    do {
      try prepareFolder()
      let lock = try FileLock(path + ".lock", .exclusive, makesFile: true, waits: true)
      return try withExtendedLifetime(lock) { try work() }
    } catch {
      throw Self.failure(error)
    }
  }

  private func prepareFolder() throws {
    try FileSystem.makeFolder(folder, mode: 0o700)
    if try FileSystem.folderStatus(folder).mode & 0o077 != 0 {
      try? FileSystem.setMode(folder + "/.", 0o700)
    }
    guard try FileSystem.folderStatus(folder).mode & 0o022 == 0 else {
      throw TokenStoreError.openToOthers(path: folder)
    }
  }

  private static func failure(_ error: any Error) -> TokenStoreError {
    if let error = error as? FileError { return .system(path: error.path, why: error.reason) }
    return error as? TokenStoreError ?? .system(path: "", why: "\(error)")
  }
}
