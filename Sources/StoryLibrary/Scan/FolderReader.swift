import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads records that follow each other, or their sidecars, from a folder that stays open, each into
/// the memory of the one before.
///
/// It takes only what is usual. Where it says nothing, ``FileSystem/readWithKey(_:limit:)`` tells what
/// is there.
struct FolderReader: ~Copyable {
  /// The text that was read last; it is not parsed yet.
  var text = JSONScratch()
  private let root: String
  private let isSidecar: Bool
  /// The folder that is open; -1 where none is.
  private var descriptor: Int32 = -1
  private var kind: EntityKind?
  /// The folder's path under the kind's; empty for the kind's own. No slash ends it, for one behind a
  /// link would have it followed.
  private var folder: [UInt8] = []
  /// The name of the file, as the system takes it.
  private var name: [UInt8] = []

  /// Files of more bytes are left to others, for the memory is kept.
  private static let largest = 1 << 20

  /// - Parameters:
  ///   - root: the library's root.
  ///   - isSidecar: whether sidecars are read, and not records.
  init(root: String, isSidecar: Bool) {
    self.root = root
    self.isSidecar = isSidecar
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads the file of a record into ``text``.
  ///
  /// A folder that is replaced while it is open is read as it was when it was opened.
  /// - Returns: the key that the file had before it was read; `nil` where it is no regular file, too
  ///   large, gone or changing, and ``text`` says nothing then.
  mutating func read(_ ref: RecordRef) -> FileKey? {
    var path = ref.name
    let isOpen = path.withUTF8 { path in
      let stem = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      name.removeAll(keepingCapacity: true)
      name.append(contentsOf: UnsafeBufferPointer(rebasing: path[stem...]))
      name.append(contentsOf: ".json\0".utf8)
      return open(UnsafeBufferPointer(rebasing: path[..<max(0, stem - 1)]), of: ref.kind)
    }
    return isOpen ? readFile() : nil
  }

  /// Opens a folder, unless it is open.
  private mutating func open(_ folder: UnsafeBufferPointer<UInt8>, of kind: EntityKind) -> Bool {
    if descriptor >= 0, self.kind == kind,
      self.folder.withUnsafeBufferPointer({ sameBytes($0, folder) })
    {
      return true
    }
    if descriptor >= 0 { close(descriptor) }
    self.kind = kind
    self.folder = Array(folder)
    let inner = Path.join(kind.folder, String(decoding: folder, as: UTF8.self))
    descriptor = systemOpen(
      AT_FDCWD, Path.join(root, isSidecar ? Path.join(inner, ".sync") : inner),
      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return descriptor >= 0
  }

  private mutating func readFile() -> FileKey? {
    let file = name.withUnsafeBufferPointer { name in
      name.withMemoryRebound(to: CChar.self) { name in
        name.baseAddress.map {
          systemOpen(descriptor, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        } ?? -1
      }
    }
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.largest
    else { return nil }
    let size = Int(status.st_size)
    var isWhole = false
    // One byte more than the size, so that a file that grew meanwhile is noticed. Less than was asked
    // for is the end of a regular file.
    text.fill(size + 1) { buffer in
      let count = FileSystem.retried { systemRead(file, buffer) }
      isWhole = count == size
      return max(0, count)
    }
    return isWhole ? FileKey(status) : nil
  }
}

private func systemOpen(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  openat(folder, path, flags)
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}
