#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An advisory lock on a file (`flock(2)`), which the system releases when the process ends.
///
/// Deinitializing the object releases the lock as well.
public final class FileLock: Sendable {
  /// The sharing mode of a lock.
  public enum Mode: Sendable {
    /// Any number of holders at a time, which only use the file.
    case shared
    /// A single holder, which may change or remove the file.
    case exclusive
  }

  private let descriptor: Int32

  /// Takes the lock on a file.
  ///
  /// - Parameters:
  ///   - location: The file.
  ///   - mode: The sharing mode.
  ///   - makesFile: Whether to create a missing file, empty and with mode 0600.
  ///   - waits: Whether to wait for other holders.
  /// - Returns: `nil` if another holder's lock conflicts with `mode`.
  /// - Throws: `FileError`: ENOENT if the file is missing, ELOOP if it is a symbolic link.
  public init?(
    _ location: some FileLocation, _ mode: Mode, makesFile: Bool = false, waits: Bool = false
  ) throws(FileError) {
    let file = try location.located()
    let flags = O_NONBLOCK | (makesFile ? O_RDWR | O_CREAT : O_RDONLY)
    descriptor = try FileSystem.open(file, flags, for: .lock)
    let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
    guard FileSystem.retried({ Int(flock(descriptor, operation)) }) == 0 else {
      // The object is complete, so its deinit closes the file.
      let code = errno
      guard code == EWOULDBLOCK else { throw FileError(.lock, path: file.path, code: code) }
      return nil
    }
  }

  /// Replaces the content of the file.
  func setContent(_ text: String) {
    _ = ftruncate(descriptor, 0)
    _ = Array(text.utf8).withUnsafeBytes { FileSystem.writeAll($0, to: descriptor, at: 0) }
  }

  deinit {
    // Unlock explicitly: a child that is being started has a copy of the descriptor until it
    // executes its own program, and closing alone would leave the lock with it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
