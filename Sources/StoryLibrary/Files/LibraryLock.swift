#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
    lock.setContent("process \(getpid()) on \(Self.hostName())")
    self.lock = lock
  }

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "this machine" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { lock.setContent("") }
}
