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

  /// Takes the lock that this program's processes hold on a file's folder while they replace the file.
  /// Without it, one could put new content in place after another has checked the file.
  ///
  /// - Returns: `nil` if the folder cannot be locked, or is still locked after 200 ms: the holder may be
  ///   stopped. Either way, the caller checks what it replaced.
  static func onFolder(of file: LocatedFile) -> FileLock? {
    for _ in 0..<200 {
      do throws(FileError) {
        if let lock = try FileLock(file.sibling("."), .exclusive) { return lock }
      } catch {
        return nil
      }
      usleep(1_000)
    }
    return nil
  }

  /// Replaces the content of a file that this made or found with `makesFile`.
  ///
  /// - Returns: The system's error number, or 0.
  @discardableResult package func setContent(_ text: String) -> Int32 {
    guard ftruncate(descriptor, 0) == 0 else { return errno }
    return Array(text.utf8).withUnsafeBytes { FileSystem.writeAll($0, to: descriptor, at: 0) }
  }

  /// This process, for messages of other processes: `process 4711 on host`.
  package static var holder: String {
    var buffer = [CChar](repeating: 0, count: 256)
    let isNamed = gethostname(&buffer, buffer.count - 1) == 0
    let host = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "process \(getpid()) on \(isNamed ? host : "this machine")"
  }

  deinit {
    // Unlock explicitly: a child that is being started has a copy of the descriptor until it
    // executes its own program, and closing alone would leave the lock with it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// The lock that prevents two processes from changing a library at the same time.
///
/// It is an advisory lock (`flock(2)`) on `.stories/lock`, which the system releases when the
/// process ends. The file names the holder, for messages only.
public final class LibraryLock: Sendable {
  private let lock: FileLock

  /// Takes the lock without waiting. Deinitializing the object releases it.
  ///
  /// - Throws: `LibraryError.locked` with the holder if another process has the lock; `FileError`.
  public init(_ library: Library) throws {
    try library.prepareStateFolder()
    let path = library.statePath("lock")
    guard let lock = try FileLock(path, .exclusive, makesFile: true) else {
      let holder =
        (try? FileSystem.read(path, limit: 4_096)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw LibraryError.locked(holder: holder.isEmpty ? "another process" : holder)
    }
    lock.setContent(FileLock.holder)
    self.lock = lock
  }

  deinit { lock.setContent("") }
}
