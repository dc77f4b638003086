#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's advisory lock on one file (`flock(2)`), which goes with its process however that
/// ends.
///
/// The lock is given back when this object goes.
public final class FileLock: Sendable {
  /// Whether others may hold the lock as well.
  public enum Mode: Sendable {
    /// Many may hold it at a time: they use the file.
    case shared
    /// Nobody else holds it: the file may be changed or removed.
    case exclusive
  }

  private let descriptor: Int32

  /// Takes the lock on a file without waiting.
  ///
  /// - Parameters:
  ///   - location: the file.
  ///   - mode: whether others may hold it as well.
  ///   - makesFile: whether an empty file is made where there is none (mode 0600).
  /// - Returns: `nil` where somebody else holds it in a mode that excludes this one.
  /// - Throws: `FileError`: ENOENT where there is no file, ELOOP for a symbolic link.
  public init?(
    _ location: some FileLocation, _ mode: Mode, makesFile: Bool = false
  ) throws(FileError) {
    let file = try location.located()
    let flags = O_NONBLOCK | (makesFile ? O_RDWR | O_CREAT : O_RDONLY)
    descriptor = try FileSystem.open(file, flags, for: .lock)
    guard flock(descriptor, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else { throw FileError(.lock, path: file.path, code: code) }
      return nil
    }
  }

  deinit {
    // Said aloud: a child that is just being started holds a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
