#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a new file is written: a name in an open folder.
struct NewFile: Sendable {
  let folder: OpenFolder
  let name: String

  /// The path, for programs that write the file.
  var path: String { folder.path.appending(name).text }
}

/// A file that is being written, closed with the last reference to it.
final class OutputFile: Sendable {
  private let descriptor: Int32

  /// Makes a file of mode 0600, emptying one that is there.
  init?(_ file: NewFile) {
    descriptor = file.folder.open(file.name, O_RDWR | O_CREAT | O_TRUNC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends bytes.
  ///
  /// - Returns: whether all of them were taken; a full disk takes some.
  func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemWrite(descriptor, $0.baseAddress! + written, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
