import StoryLibrary

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
    bytes.withUnsafeBytes { FileSystem.writeAll($0, to: descriptor) } == 0
  }
}
