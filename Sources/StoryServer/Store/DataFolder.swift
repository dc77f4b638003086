import StoryLibrary

/// The folder with the server's log, and the lock that keeps a second server out of it.
///
/// | file | what |
/// | --- | --- |
/// | `log` | every change, in order (``LogEntry``) |
/// | `log.new` | a log that is being compacted; left behind by a crash, it is removed |
/// | `lock` | empty; an open server holds an advisory `flock` on it |
///
/// The folder is made with mode 0700, files have mode 0600.
struct DataFolder: Sendable {
  private let path: ConfinedPath
  private let lock: FileLock

  /// Makes the folder where it is missing, with those above it, and locks it.
  ///
  /// - Throws: `StoryServerError.dataFolderInUse`, or `.file` where it cannot be made or opened, or
  ///   where others than this user can write to it.
  init(path: ConfinedPath) throws(StoryServerError) {
    self.path = path
    let use = "use it as the data folder"
    try StoryServerError.mapping("make the folder") { () throws(FileError) in
      try FileSystem.makeFolder(path.root, mode: 0o700)
    }
    let status = try StoryServerError.mapping(use) { () throws(FileError) in
      try FileSystem.makeFolder(path, mode: 0o700)
      return try FileSystem.folderStatus(path.text)
    }
    guard status.isOwn else {
      throw .file(
        path: path.text, operation: use,
        reason: "it belongs to another user; use a folder of your own")
    }
    guard status.mode & 0o022 == 0 else {
      throw .file(
        path: path.text, operation: use,
        reason: "other users can write to it; `chmod go-w` the folder if its content is yours")
    }
    let lock = try StoryServerError.mapping("open") { () throws(FileError) in
      try FileLock(Path.join(path, "lock"), .exclusive, makesFile: true)
    }
    guard let lock else { throw .dataFolderInUse(path: path.text) }
    self.lock = lock
    try? FileSystem.remove(newLog)
  }

  private var log: ConfinedPath { Path.join(path, "log") }
  private var newLog: ConfinedPath { Path.join(path, "log.new") }

  /// Opens the log, creating an empty one if it does not exist.
  func openLog() throws(StoryServerError) -> LogFile { try LogFile(log) }

  /// Puts the log that `write` fills in the place of the old one, durably.
  func replaceLog(
    _ write: (LogFile) throws(StoryServerError) -> Void
  ) throws(StoryServerError) {
    let new = try LogFile(newLog, isEmptied: true)
    try write(new)
    try new.flush()
    try StoryServerError.mapping("replace the log") { () throws(FileError) in
      try FileSystem.rename(newLog, to: log)
    }
    flushNames()
  }

  /// Makes the names of new files survive a loss of power.
  func flushNames() { try? FileSystem.flushFolder(path) }
}

extension StoryServerError {
  /// Does something with a file; what the system refuses becomes `.file` with the name of the operation.
  static func mapping<Result>(
    _ operation: String, _ body: () throws(FileError) -> Result
  ) throws(StoryServerError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw .file(
        path: error.path, operation: operation,
        reason: error.isLink
          ? "it is reached through a symbolic link; replace the link with a folder"
          : error.isPresent ? "it is not a folder" : error.reason)
    }
  }
}
