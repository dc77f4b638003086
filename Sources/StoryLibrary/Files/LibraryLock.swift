#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The lock that keeps two processes from changing one library at a time.
///
/// It is the system's advisory lock (`flock(2)`) on `.stories/lock`, so it goes with its process
/// however that ends; the file says who holds it, for messages only.
public final class LibraryLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, or tells who holds it; it does not wait. The lock is given back when this object
  /// goes.
  ///
  /// - Throws: `LibraryError.locked` where another process holds it; `FileError`.
  public init(_ library: Library) throws {
    try library.prepareStateFolder()
    let path = library.statePath("lock")
    let descriptor = try FileSystem.open(path, O_RDWR | O_CREAT, for: .lock)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else { throw FileError(.lock, path: path.text, code: code) }
      let holder =
        (try? FileSystem.read(path, limit: 4_096)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw LibraryError.locked(holder: holder.isEmpty ? "another process" : holder)
    }
    let text = "process \(getpid()) on \(Self.hostName())"
    _ = ftruncate(descriptor, 0)
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    self.descriptor = descriptor
  }

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "this machine" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    _ = ftruncate(descriptor, 0)
    // Said aloud: a child that is just being started holds a copy of the descriptor until it runs
    // its own program, and closing alone would leave the lock with it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
