#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file written piece by piece under a temporary name, which replaces the old one when complete.
///
/// For files that are too large to be held in memory; ``AtomicFile`` writes all others. A file that
/// is never committed is removed.
package final class OutputFile {
  private let file: LocatedFile
  private let temporary: LocatedFile
  private var descriptor: Int32
  package private(set) var size = 0

  /// Creates the temporary file next to its final place.
  ///
  /// - Throws: `FileError`: ELOOP if the final name is a symbolic link, and others.
  package init(_ location: some FileLocation) throws(FileError) {
    do throws(FileError) {
      file = try location.located()
    } catch {
      throw FileError(.write, path: error.path, code: error.code)
    }
    temporary = file.sibling(try TemporaryName(new: nil, old: nil, for: file.path).text)
    let present = try FileSystem.status(file)
    guard present?.type != .link else { throw FileError(.write, path: file.path, code: ELOOP) }
    descriptor = try FileSystem.open(
      temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: present?.mode ?? 0o666)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    try? FileSystem.remove(temporary)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    let code = FileSystem.writeAll(bytes, to: descriptor)
    guard code == 0 else { throw FileError(.write, path: file.path, code: code) }
    size += bytes.count
  }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Gives the file its final name, unless a file with the same content has it already.
  ///
  /// - Parameter isFlushed: Whether content and name are flushed to disk.
  /// - Returns: Whether the file was replaced.
  package func commit(isFlushed: Bool = false) throws(FileError) -> Bool {
    if isFlushed, fsync(descriptor) != 0 { throw .last(.flush, file.path) }
    close(descriptor)
    descriptor = -1
    do throws(FileError) {
      if try FileSystem.isSame(temporary, file) {
        try FileSystem.remove(temporary)
        return false
      }
      try FileSystem.rename(temporary, to: file)
    } catch {
      try? FileSystem.remove(temporary)
      throw error
    }
    if isFlushed { try FileSystem.flushFolder(above: file) }
    return true
  }
}

extension FileSystem {
  /// The number of bytes that ``readChunks(_:_:)`` reads at a time.
  package static let chunkSize = 1 << 18

  /// Reads a regular file piece by piece.
  ///
  /// - Throws: `FileError`, as ``read(_:limit:)``; errors of `body`.
  package static func readChunks(
    _ location: some FileLocation,
    _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) {
    let file = try location.located()
    let descriptor = try open(file, O_RDONLY | O_NONBLOCK, for: .read)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last(.read, file.path) }
    guard Status(status).type == .regular else {
      throw FileError(.read, path: file.path, code: EINVAL)
    }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = try fill(chunk, from: descriptor, path: file.path)
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    }
  }

  /// Returns the first bytes of a regular file, at most `count`.
  ///
  /// - Throws: `FileError`, as ``read(_:limit:)``.
  package static func readStart(
    _ location: some FileLocation, count: Int
  ) throws(FileError) -> [UInt8] {
    let file = try location.located()
    let descriptor = try open(file, O_RDONLY | O_NONBLOCK, for: .read)
    defer { close(descriptor) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { chunk.deallocate() }
    return Array(chunk[..<(try fill(chunk, from: descriptor, path: file.path))])
  }

  /// Returns whether two files have the same content; `false` if one is missing or not a file.
  package static func isSame(
    _ left: some FileLocation, _ right: some FileLocation
  ) throws(FileError) -> Bool {
    guard let first = try status(left), let second = try status(right),
      first.type == .regular, second.type == .regular, first.size == second.size
    else { return false }
    let file = try right.located()
    let descriptor = try open(file, O_RDONLY | O_NONBLOCK, for: .read)
    defer { close(descriptor) }
    let other = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    defer { other.deallocate() }
    var isSame = true
    try readChunks(left) { (bytes) throws(FileError) in
      guard isSame else { return }
      let count = try fill(other, from: descriptor, path: file.path)
      isSame = bytes.elementsEqual(other[..<count])
    }
    return isSame
  }
}
