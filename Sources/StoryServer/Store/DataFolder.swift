import StoryLibrary

/// The folder with the server's log, and the lock that keeps a second server out of it.
///
/// | file | what |
/// | --- | --- |
/// | `log` | every change, in order (``LogEntry``) |
/// | `log.new` | a log being compacted; removed at the next start if a crash left one, or used if `log` is missing |
/// | `lock` | empty; an open server holds an advisory `flock` on it |
///
/// The folder is created with mode 0700; files have mode 0600.
struct DataFolder: Sendable {
  private let path: ConfinedPath
  private let lock: FileLock

  /// Creates the folder and its parents if needed, and locks it.
  ///
  /// - Throws: `StoryServerError.dataFolderInUse`, or `.file` if the folder cannot be created or
  ///   opened, or if it belongs to another user or others can write to it.
  init(path: ConfinedPath) throws(StoryServerError) {
    self.path = path
    let use = "use it as the data folder"
    try StoryServerError.mapping(
      "make the folder", try FileSystem.makeFolder(path.root, mode: 0o700))
    try StoryServerError.mapping(use, try FileSystem.makeFolder(path, mode: 0o700))
    let status = try StoryServerError.mapping(use, try FileSystem.folderStatus(path.text))
    guard status.isOwn else {
      throw .file(
        path: path.text, operation: use,
        reason: "it belongs to another user; use a folder of your own, or mount its file system"
          + " as yours (uid=)")
    }
    guard status.mode & 0o022 == 0 else {
      throw .file(
        path: path.text, operation: use,
        reason: "other users can write to it; if its content is yours, `chmod go-w` the folder,"
          + " or mount its file system with umask=022")
    }
    let lock = try StoryServerError.mapping(
      "open", try FileLock(Path.join(path, "lock"), .exclusive, makesFile: true))
    guard let lock else { throw .dataFolderInUse(path: path.text) }
    self.lock = lock
    // Some file systems, such as exFAT, drop the old name before they rename. The new log is whole then.
    if FileSystem.exists(newLog), !FileSystem.exists(log) { try useNewLog() }
    removeNewLog()
  }

  private var log: ConfinedPath { Path.join(path, "log") }
  private var newLog: ConfinedPath { Path.join(path, "log.new") }

  func openLog() throws(StoryServerError) -> LogFile { try LogFile(log) }

  func openNewLog() throws(StoryServerError) -> LogFile { try LogFile(newLog, isEmptied: true) }

  /// Removes what an unfinished compaction left.
  func removeNewLog() { try? FileSystem.remove(newLog) }

  /// Durably replaces the log with the new one.
  func replaceLog(by new: LogFile) throws(StoryServerError) {
    try new.flush()
    try useNewLog()
  }

  private func useNewLog() throws(StoryServerError) {
    try StoryServerError.mapping("replace the log", try FileSystem.rename(newLog, to: log))
    flushNames()
  }

  /// Flushes the folder, so that the names of new files survive a power failure.
  func flushNames() { try? FileSystem.flushFolder(path) }
}

extension StoryServerError {
  /// Runs `body` and turns its `FileError` into `.file` with the name of the operation.
  static func mapping<Result>(
    _ operation: String, _ body: @autoclosure () throws(FileError) -> Result
  ) throws(StoryServerError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw .file(
        path: error.path, operation: operation,
        reason: error.isLink
          ? "it is reached through a symbolic link; replace the link with what it points to"
          : error.isPresent ? "it is not a folder" : error.reason)
    }
  }
}
