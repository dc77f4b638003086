#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A failed file operation, with the system's reason.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file operation.
  public enum Operation: String, Sendable {
    /// Reading a file or listing a folder.
    case read
    /// Creating or writing a file.
    case write
    /// Renaming a file.
    case rename
    /// Removing a file.
    case remove
    /// Creating a folder.
    case makeFolder = "make the folder"
    /// Flushing a file or folder to disk.
    case flush
    /// Taking the library's lock.
    case lock
  }

  /// The operation that failed.
  public var operation: Operation
  /// The path of the file or folder.
  public var path: String
  /// The system's error number.
  public var code: Int32

  /// Creates an error.
  public init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// Returns an error with this thread's `errno`.
  static func last(_ operation: Operation, _ path: String) -> FileError {
    FileError(operation, path: path, code: errno)
  }

  /// Returns the error for a file that another program keeps changing.
  static func busy(_ path: String) -> FileError { FileError(.write, path: path, code: EBUSY) }

  static func nameInUse(_ path: String) -> FileError {
    FileError(.rename, path: path, code: EEXIST)
  }

  static func nameTooLong(_ path: String) -> FileError {
    FileError(.write, path: path, code: ENAMETOOLONG)
  }

  /// Returns the error for a file that has no room on its disk.
  package static func diskFull(_ path: String) -> FileError {
    FileError(.write, path: path, code: ENOSPC)
  }

  /// Returns the error for a file that has changed while it was read.
  package static func changedMeanwhile(_ path: String) -> FileError {
    FileError(.read, path: path, code: EBUSY)
  }

  /// The system's description of the reason, such as “Permission denied”.
  public var reason: String {
    switch (code, operation) {
    case (ELOOP, _): "it is a symbolic link"
    case (EFBIG, .read): "it is too large to be read"
    default: String(cString: strerror(code))
    }
  }

  /// Whether a file was larger than its reader allows.
  public var isTooLarge: Bool { code == EFBIG && operation == .read }

  /// Whether the path is a symbolic link where links are not allowed.
  public var isLink: Bool { code == ELOOP }

  /// Whether the file or folder does not exist.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the name is already in use.
  public var isPresent: Bool { code == EEXIST }

  /// Whether a folder, a link or a device is in the place of a file.
  public var isNotAFile: Bool { [EISDIR, ELOOP, EINVAL, ENXIO].contains(code) }

  /// The name of the thing in the place of a file.
  package var obstacle: String {
    switch code {
    case EISDIR: "a folder"
    case ELOOP: "a symbolic link"
    default: "a device, a pipe or a socket"
    }
  }

  /// Whether the disk or the user's quota is full, or the file has reached its maximum size.
  public var isDiskFull: Bool {
    [ENOSPC, EDQUOT].contains(code) || code == EFBIG && operation != .read
  }

  /// Whether the file system or the permissions do not allow writing.
  public var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }

  /// The operation, the path and the reason.
  public var description: String { "cannot \(operation.rawValue) \(path): \(reason)" }
}
