#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open log, closed with the last reference to it.
///
/// Bytes are written at given offsets and never changed afterwards, so reading needs no lock.
final class LogFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens a log, making an empty one of mode 0600 where there is none.
  ///
  /// - Throws: `StoryServerError.file` where it cannot be opened; a symbolic link is refused.
  init(
    in folder: OpenFolder, _ name: String, truncate: Bool = false
  ) throws(StoryServerError) {
    path = folder.path.appending(name).text
    descriptor = folder.open(name, O_RDWR | O_CREAT | O_NONBLOCK | (truncate ? O_TRUNC : 0))
    guard descriptor >= 0 else { throw Self.failure(path, "open the log") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .file(path: path, operation: "open the log", reason: "it is no file")
    }
    _ = fchmod(descriptor, 0o600)
  }

  /// Makes a log without a name, which is gone with the process.
  init(anonymousIn folder: String) throws(StoryServerError) {
    path = folder + "/(in memory)"
    var template = Array((folder + "/stories-server-XXXXXX").utf8CString)
    descriptor = Platform.closedOnExec(mkstemp(&template))
    guard descriptor >= 0 else { throw Self.failure(folder, "make a temporary file") }
    unlink(template)
  }

  deinit { close(descriptor) }

  private static func failure(_ path: String, _ operation: String) -> StoryServerError {
    .file(path: path, operation: operation, reason: DataFolder.reason(errno))
  }

  /// The length in bytes.
  var size: Int {
    get throws(StoryServerError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, "read the log") }
      return Int(status.st_size)
    }
  }

  /// Writes bytes at an offset.
  ///
  /// - Throws: `StoryServerError.file`, for instance on a full disk; some bytes may then have been
  ///   written.
  func write(_ bytes: [UInt8], at offset: Int) throws(StoryServerError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(
          descriptor, $0.baseAddress! + written, bytes.count - written, off_t(offset + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path, "write the log") }
      written += count
    }
  }

  /// Fills a buffer from an offset.
  ///
  /// - Returns: how many bytes there were; fewer than asked for only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoryServerError)
    -> Int
  {
    var filled = 0
    while filled < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset + filled))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(path, "read the log") }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// The bytes of a range that was written before.
  func read(_ range: LogRange) throws(StoryServerError) -> [UInt8] {
    var failure: StoryServerError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.length) { buffer, count in
      do throws(StoryServerError) {
        count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: range.offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard bytes.count == range.length else {
      throw .file(path: path, operation: "read the log", reason: "it is shorter than it was")
    }
    return bytes
  }

  /// Cuts the file off.
  func truncate(to length: Int) throws(StoryServerError) {
    guard ftruncate(descriptor, off_t(length)) == 0 else {
      throw Self.failure(path, "cut off the log")
    }
  }

  /// Makes what was written survive a loss of power.
  func flush() throws(StoryServerError) {
    let code = Platform.flush(descriptor)
    guard code == 0 else {
      throw .file(path: path, operation: "flush the log", reason: Platform.message(code))
    }
  }
}

/// Some bytes of the log.
struct LogRange: Hashable, Sendable {
  var offset: Int
  var length: Int
}
