#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder with the server's log, and the lock that keeps a second server out of it.
///
/// | file | what |
/// | --- | --- |
/// | `log` | every change, in order (``LogEntry``) |
/// | `log.new` | a log that is being compacted; left behind by a crash, it is removed |
/// | `lock` | empty; an open server holds an advisory `flock` on it |
///
/// The folder is made with mode 0700, files have mode 0600.
final class DataFolder: Sendable {
  let path: String
  private let lock: Int32

  var logPath: String { path + "/log" }
  var newLogPath: String { path + "/log.new" }

  /// Makes the folder where it is missing, with those above it, and locks it.
  ///
  /// - Throws: `StoryServerError.dataFolderInUse`, or `.file` where it cannot be made or opened.
  init(path: String) throws(StoryServerError) {
    try Self.makeFolder(path)
    let lockPath = path + "/lock"
    let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      throw .file(path: lockPath, operation: "open", reason: Platform.message(errno))
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(lock)
      if code == EWOULDBLOCK { throw .dataFolderInUse(path: path) }
      throw .file(path: lockPath, operation: "lock", reason: Platform.message(code))
    }
    // Only now: an object that is complete closes the lock when its initialiser throws.
    self.path = path
    self.lock = lock
    unlink(newLogPath)
  }

  deinit {
    // Closing alone would leave the lock with a child process that is just being started and has a
    // copy of the descriptor until it is another program.
    _ = flock(lock, LOCK_UN)
    close(lock)
  }

  private static func makeFolder(_ path: String) throws(StoryServerError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw .file(path: path, operation: "use it as the data folder", reason: "it is no folder")
      }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolder(String(path[..<slash]))
    }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .file(path: path, operation: "make the folder", reason: Platform.message(errno))
    }
  }

  /// Puts the compacted log in the place of the old one, durably.
  func replaceLog() throws(StoryServerError) {
    guard rename(newLogPath, logPath) == 0 else {
      throw .file(path: logPath, operation: "replace the log", reason: Platform.message(errno))
    }
    flushNames()
  }

  /// Makes the names of new files survive a loss of power.
  func flushNames() { Platform.flushFolder(path) }
}
