import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An append-only file of lines: the journal, what a run saves, the server's store.
///
/// A line ends with a line feed. What follows the last one was being written when the process or the
/// machine stopped; nobody was told that it was stored, and ``LineReader/end`` says where to cut it off.
/// Bytes are never changed once they are written, so that reading needs no lock; only one object at a time
/// may write.
package final class AppendLog: Sendable {
  /// The path of the file, for messages.
  package let path: String
  private let descriptor: Int32
  private let state: Mutex<State>

  private struct State {
    var end: Int
    /// Why nothing can be added any more.
    var failure: FileError?
  }

  /// Opens a log, creating an empty one of mode 0600 if it does not exist.
  ///
  /// - Parameter isEmptied: whether what is in the file goes.
  /// - Throws: `FileError`; ELOOP for a symbolic link, EINVAL for anything else that is no file.
  package convenience init(
    _ location: some FileLocation, isEmptied: Bool = false
  ) throws(FileError) {
    let file = try location.located()
    let flags = O_RDWR | O_CREAT | O_NONBLOCK | (isEmptied ? O_TRUNC : 0)
    try self.init(try FileSystem.open(file, flags), path: file.path)
  }

  /// Makes a log without a name, which is gone with the process.
  package convenience init(anonymousIn folder: String) throws(FileError) {
    let file = Path.join(folder, "stories-" + RandomKey.make())
    let descriptor = try FileSystem.open(file, O_RDWR | O_CREAT | O_EXCL)
    unlink(file)
    try self.init(descriptor, path: Path.join(folder, "(in memory)"))
  }

  private init(_ descriptor: Int32, path: String) throws(FileError) {
    self.path = path
    self.descriptor = descriptor
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      state = Mutex(State(end: 0))
      throw .last(.read, path)
    }
    state = Mutex(State(end: Int(status.st_size)))
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.write, path: path, code: EINVAL)
    }
  }

  deinit { close(descriptor) }

  /// The offset at which the next bytes are written.
  package var end: Int { state.withLock { $0.end } }

  /// Adds bytes, all or none.
  ///
  /// - Returns: where they start.
  /// - Throws: `FileError`, for instance on a full disk. If what was written of them cannot be taken back,
  ///   nothing is added any more: the next line would continue it.
  @discardableResult
  package func append(_ bytes: [UInt8]) throws(FileError) -> Int {
    try state.withLock { (state) throws(FileError) -> Int in
      if let failure = state.failure { throw failure }
      let start = state.end
      let code = bytes.withUnsafeBytes {
        FileSystem.writeAll($0, to: descriptor, at: start)
      }
      guard code == 0 else {
        if ftruncate(descriptor, off_t(start)) != 0 { state.failure = .last(.write, path) }
        throw FileError(.write, path: path, code: code)
      }
      state.end = start + bytes.count
      return start
    }
  }

  /// Cuts the file off.
  package func truncate(to length: Int) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      guard ftruncate(descriptor, off_t(length)) == 0 else { throw .last(.write, path) }
      state.end = length
    }
  }

  /// Makes what was written survive a loss of power.
  ///
  /// - Throws: `FileError`; ENOENT if the file has been removed, as what is written to it goes with the
  ///   process.
  package func flush() throws(FileError) {
    #if canImport(Darwin)
      let result = fcntl(descriptor, F_FULLFSYNC)
    #else
      let result = fdatasync(descriptor)
    #endif
    var status = stat()
    guard result == 0, fstat(descriptor, &status) == 0 else { throw .last(.flush, path) }
    guard status.st_nlink > 0 else { throw FileError(.flush, path: path, code: ENOENT) }
  }

  /// Fills a buffer from an offset.
  ///
  /// - Returns: how many bytes there were; fewer than asked for only at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileError) -> Int {
    try FileSystem.fill(buffer, from: descriptor, at: offset, path: path)
  }

  /// The bytes of a range that was written before.
  ///
  /// - Throws: `FileError`; EIO if the file has become shorter.
  package func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(FileError) {
        count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard bytes.count == range.count else { throw FileError(.read, path: path, code: EIO) }
    return bytes
  }
}

/// Reads an ``AppendLog`` line by line, holding one megabyte of it or one line, whatever is more.
package struct LineReader: ~Copyable {
  /// A line as it is in the file, valid until the next one is read.
  package struct Line {
    /// The number, from 1.
    package var number: Int
    /// Its offset in the file.
    package var offset: Int
    /// The bytes without the line feed, which follows them.
    package var bytes: UnsafeRawBufferPointer
  }

  private static let longest = 128 << 20

  private let log: AppendLog
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private var start = 0
  private var filled = 0
  /// The offset of the buffer's first byte in the file.
  private var base = 0
  private var number = 0

  /// A reader from the first line on.
  package init(_ log: AppendLog) { self.log = log }

  deinit { buffer.deallocate() }

  /// The offset of the end of the last line read.
  package var end: Int { base + start }

  /// Reads the next line that has a line feed; `nil` after the last one.
  ///
  /// - Throws: `FileError`; EFBIG for a line of more than 128 MiB.
  package mutating func next() throws(FileError) -> Line? {
    var searched = start
    while true {
      let place = buffer.baseAddress!
      if let found = memchr(place + searched, 0x0A, filled - searched) {
        number += 1
        let length = UnsafeRawPointer(place + start).distance(to: UnsafeRawPointer(found))
        let bytes = UnsafeRawBufferPointer(start: place + start, count: length)
        defer { start += length + 1 }
        return Line(number: number, offset: end, bytes: bytes)
      }
      try makeRoom()
      searched = filled
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try log.read(into: free, at: base + filled)
      if count == 0 { return nil }
      filled += count
    }
  }

  /// Carries the beginning of a line to the front, or takes a larger buffer for it.
  private mutating func makeRoom() throws(FileError) {
    let rest = filled - start
    if start > 0 {
      memmove(buffer.baseAddress!, buffer.baseAddress! + start, rest)
      base += start
      (start, filled) = (0, rest)
    } else if filled == buffer.count {
      guard filled < Self.longest else { throw FileError(.read, path: log.path, code: EFBIG) }
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
      buffer.deallocate()
      buffer = larger
    }
  }
}
