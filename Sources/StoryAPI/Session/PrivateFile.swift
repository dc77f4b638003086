import JSONText
import StoryLibrary

/// A file that only its owner can read and change, with an object: `{"version":1,"<key>":{…}}`.
struct PrivateFile {
  let folder: String
  let name: String
  let key: String

  var path: String { folder + "/" + name }

  /// Returns the object, which is empty if the file is missing.
  ///
  /// - Throws: `TokenStoreError.openToOthers` if anyone else can read or change the file or change
  ///   the folder; `damaged` if it is not a regular file or has other content; `system` if it cannot
  ///   be read.
  func object() throws(TokenStoreError) -> JSONObject {
    guard let bytes = try read() else { return JSONObject() }
    guard let document = try? JSONValue(parsing: bytes), let object = document[key]?.object else {
      throw .damaged(path: path, why: "it is not what this program writes")
    }
    guard document["version"]?.integer == 1 else {
      throw .damaged(path: path, why: "a newer program wrote it")
    }
    return object
  }

  private func read() throws(TokenStoreError) -> [UInt8]? {
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

  /// Changes the object while excluding other processes, and replaces the file atomically: a crash
  /// leaves either the old or the new content.
  ///
  /// Creates a missing folder. Both are accessible only to this user.
  ///
  /// - Throws: The errors of ``object()``; `TokenStoreError.system` also if the lock cannot be taken
  ///   or the system refuses, `openToOthers` if others can still write it.
  func change(_ body: (inout JSONObject) -> Void) throws(TokenStoreError) {
    do {
      try prepareFolder()
      let lock = try FileLock(path + ".lock", .exclusive, makesFile: true, waits: true)
      try withExtendedLifetime(lock) {
        var object = try object()
        body(&object)
        let document: JSONValue = .object(["version": 1, key: .object(object)])
        try AtomicFile.writePrivate(document.fileBytes(), to: path)
      }
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
