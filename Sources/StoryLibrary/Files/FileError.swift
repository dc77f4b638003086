#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file operation that the system refused, with its reason.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was tried.
  public enum Operation: String, Sendable {
    /// Reading a file or listing a folder.
    case read
    /// Making or filling a file.
    case write
    /// Giving a file its final name.
    case rename
    /// Removing a file.
    case remove
    /// Making a folder.
    case makeFolder = "make the folder"
    /// Making sure that a file has reached the disk.
    case flush
    /// Taking the library's lock.
    case lock
  }

  /// What was tried.
  public var operation: Operation
  /// The path it was tried on.
  public var path: String
  /// The system's error number.
  public var code: Int32

  /// An error from its parts.
  public init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The error that the last system call of this thread left.
  static func last(_ operation: Operation, _ path: String) -> FileError {
    FileError(operation, path: path, code: errno)
  }

  /// A file that somebody else goes on changing.
  static func busy(_ path: String) -> FileError { FileError(.write, path: path, code: EBUSY) }

  /// The system's words for the reason, such as “Permission denied”.
  public var reason: String {
    switch (code, operation) {
    case (ELOOP, _): "it is a symbolic link"
    case (EFBIG, .read): "it is too large to be read"
    default: String(cString: strerror(code))
    }
  }

  /// Whether the file has more bytes than are read of one.
  var isTooLarge: Bool { code == EFBIG && operation == .read }

  /// Whether the path is a symbolic link where none may be.
  public var isLink: Bool { code == ELOOP }

  /// Whether the file or folder does not exist.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether something of that name is there already.
  public var isPresent: Bool { code == EEXIST }

  /// Whether a folder, a link or a device stands where a file should.
  public var isNotAFile: Bool { [EISDIR, ELOOP, EINVAL, ENXIO].contains(code) }

  /// What stands where a file should, in words.
  var obstacle: String {
    switch code {
    case EISDIR: "a folder"
    case ELOOP: "a symbolic link"
    default: "a device, a pipe or a socket"
    }
  }

  /// Whether the disk or the user's share of it is full, or the file may not grow any more.
  public var isDiskFull: Bool {
    [ENOSPC, EDQUOT].contains(code) || code == EFBIG && operation != .read
  }

  /// Whether the file system or the folder does not allow writing.
  public var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }

  /// What happened to which path and why.
  public var description: String { "cannot \(operation.rawValue) \(path): \(reason)" }
}
