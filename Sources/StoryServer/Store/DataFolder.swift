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
  static let log = "log"
  static let newLog = "log.new"

  let folder: OpenFolder
  private let lock: Int32

  /// Makes the folder where it is missing, with those above it, and locks it.
  ///
  /// - Throws: `StoryServerError.dataFolderInUse`, or `.file` where it cannot be made or opened, or
  ///   where others than this user can write to it.
  init(path: DataPath) throws(StoryServerError) {
    try Self.makeFolder(path.root)
    guard let folder = OpenFolder(path, making: true) else {
      throw .file(
        path: path.text, operation: "use it as the data folder", reason: Self.reason(errno))
    }
    try Self.checkOwner(folder)
    let lockPath = path.appending("lock").text
    let lock = folder.open("lock", O_RDWR | O_CREAT | O_NONBLOCK)
    guard lock >= 0 else {
      throw .file(path: lockPath, operation: "open", reason: Self.reason(errno))
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(lock)
      if code == EWOULDBLOCK { throw .dataFolderInUse(path: path.text) }
      throw .file(path: lockPath, operation: "lock", reason: Platform.message(code))
    }
    // Only now: an object that is complete closes the lock when its initialiser throws.
    self.folder = folder
    self.lock = lock
    folder.remove(Self.newLog)
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
        throw .file(
          path: path, operation: "use it as the data folder", reason: "it is not a folder")
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

  /// Refuses a folder in which others could put data of theirs.
  private static func checkOwner(_ folder: OpenFolder) throws(StoryServerError) {
    var status = stat()
    let path = folder.path.text
    let operation = "use it as the data folder"
    guard fstat(folder.descriptor, &status) == 0 else {
      throw .file(path: path, operation: operation, reason: Platform.message(errno))
    }
    guard status.st_uid == geteuid() else {
      throw .file(
        path: path, operation: operation,
        reason: "it belongs to another user; use a folder of your own")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw .file(
        path: path, operation: operation,
        reason: "other users can write to it; `chmod go-w` the folder if its content is yours")
    }
  }

  /// The system's words for an error number, and what to do about a link.
  static func reason(_ code: Int32) -> String {
    code == ELOOP
      ? "it is reached through a symbolic link; replace the link with a folder"
      : Platform.message(code)
  }

  /// Puts the compacted log in the place of the old one, durably.
  func replaceLog() throws(StoryServerError) {
    guard folder.rename(Self.newLog, to: Self.log) else {
      throw .file(
        path: folder.path.appending(Self.log).text, operation: "replace the log",
        reason: Platform.message(errno))
    }
    flushNames()
  }

  /// Makes the names of new files survive a loss of power.
  func flushNames() { Platform.flushFolder(folder.descriptor) }
}
