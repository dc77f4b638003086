import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The names in one folder, without an object for each of them.
///
/// They are in the order of the records that they may hold: by their bytes without `.json`.
struct FolderListing: Sendable {
  /// One name: where it lies among the listing's bytes, and what has it.
  struct Name: Sendable {
    fileprivate var start: UInt32
    fileprivate var length: UInt16
    /// How many bytes there are before `.json`; all where it does not end in that.
    fileprivate var stem: UInt16
    /// What has the name.
    var type: FileSystem.FileType
    /// The stem's first eight bytes as a number, so that most comparisons need no second look.
    fileprivate var prefix: UInt64

    /// Whether a record or a sidecar can have the name.
    var isRecord: Bool { stem < length }
  }

  /// The names with a zero byte behind each, in the order in which the system gave them.
  private var bytes: [UInt8] = []
  /// The names that are UTF-8, without `.` and `..`.
  private(set) var names: [Name] = []
  /// The sums of the keys of ``names``, see ``FileKey/sum``; empty where nobody asked for them. A
  /// folder has none.
  private(set) var keys: [UInt64] = []
  /// The names that are not UTF-8, with signs in place of what is not.
  private(set) var unreadable: [String] = []

  /// How many names a thread asks for the keys at a time.
  private static let share = 512

  /// Lists a folder.
  ///
  /// - Throws: `FileError`; ENOENT where there is no such folder, ELOOP or ENOTDIR for a link.
  init(_ folder: String) throws(FileError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.read, folder) }
    guard let stream = fdopendir(descriptor) else {
      let error = FileError.last(.read, folder)
      close(descriptor)
      throw error
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last(.read, folder) }
        break
      }
      add(entry, descriptor)
    }
    sort()
  }

  /// A name as a string.
  func text(_ name: Name) -> String { text(name, length: name.length) }

  /// The record's name in a file name: what stands before `.json`.
  func stem(_ name: Name) -> String { text(name, length: name.stem) }

  private func text(_ name: Name, length: UInt16) -> String {
    bytes.withUnsafeBufferPointer {
      String(decoding: $0[Int(name.start)..<Int(name.start) + Int(length)], as: UTF8.self)
    }
  }

  /// Whether a name begins with a dot.
  func isHidden(_ name: Name) -> Bool { bytes[Int(name.start)] == UInt8(ascii: ".") }

  /// How the stem of a name stands to one of another listing: less than 0 where it comes before it,
  /// 0 where the two are the same bytes.
  func order(_ name: Name, _ other: Name, in listing: FolderListing) -> Int {
    if name.prefix != other.prefix { return name.prefix < other.prefix ? -1 : 1 }
    return bytes.withUnsafeBufferPointer { left in
      listing.bytes.withUnsafeBufferPointer { right in
        Self.order(
          left.baseAddress, name.start, Int(name.stem), right.baseAddress, other.start,
          Int(other.stem))
      }
    }
  }

  private static func order(
    _ left: UnsafePointer<UInt8>?, _ start: UInt32, _ count: Int,
    _ right: UnsafePointer<UInt8>?, _ otherStart: UInt32, _ otherCount: Int
  ) -> Int {
    guard let left, let right else { return count - otherCount }
    let order = memcmp(left + Int(start), right + Int(otherStart), min(count, otherCount))
    return order == 0 ? count - otherCount : Int(order)
  }

  // MARK: Listing

  private mutating func add(_ entry: UnsafeMutablePointer<dirent>, _ folder: Int32) {
    let start = bytes.count
    var isPlain = true
    withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
      let end = buffer.firstIndex(of: 0) ?? buffer.count
      let name = UnsafeRawBufferPointer(rebasing: buffer[..<end])
      isPlain = name.allSatisfy { $0 < 0x80 }
      bytes.append(contentsOf: name)
      bytes.append(0)
    }
    let name = bytes[start..<bytes.count - 1]
    if name.elementsEqual([UInt8(ascii: ".")]) || name.elementsEqual([0x2E, 0x2E]) {
      return bytes.removeSubrange(start...)
    }
    if !isPlain, String(validating: name, as: UTF8.self) == nil {
      unreadable.append(String(decoding: name, as: UTF8.self))
      return bytes.removeSubrange(start...)
    }
    var type: FileSystem.FileType?
    switch Int32(entry.pointee.d_type) {
    case Int32(DT_REG): type = .regular
    case Int32(DT_DIR): type = .folder
    case Int32(DT_LNK): type = .link
    case Int32(DT_UNKNOWN):
      var status = stat()
      let found = bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
          fstatat(folder, $0 + start, &status, AT_SYMLINK_NOFOLLOW)
        }
      }
      if found == 0 { type = FileSystem.Status(status).type }
    default: type = .other
    }
    guard let type else { return bytes.removeSubrange(start...) }
    let isRecord = name.count > 5 && name.suffix(5).elementsEqual(".json".utf8)
    let stem = isRecord ? name.count - 5 : name.count
    var prefix: UInt64 = 0
    for place in 0..<8 {
      prefix = prefix << 8 | (place < stem ? UInt64(bytes[start + place]) : 0)
    }
    names.append(
      Name(
        start: UInt32(start), length: UInt16(name.count), stem: UInt16(stem), type: type,
        prefix: prefix))
  }

  private mutating func sort() {
    unreadable.sort()
    bytes.withUnsafeBufferPointer { buffer in
      let base = buffer.baseAddress
      names.sort { lhs, rhs in
        if lhs.prefix != rhs.prefix { return lhs.prefix < rhs.prefix }
        let order = Self.order(
          base, lhs.start, Int(lhs.stem), base, rhs.start, Int(rhs.stem))
        return order == 0 ? lhs.length < rhs.length : order < 0
      }
    }
  }

  // MARK: Keys

  /// Asks for every file's key, on several threads where there are many.
  ///
  /// A file that is gone meanwhile has no sum, and no index knows one for a name that is there.
  /// - Parameters:
  ///   - folder: the folder that was listed.
  ///   - workers: how many threads ask.
  /// - Throws: `FileError` as ``init(_:)``.
  mutating func readKeys(_ folder: String, workers: Int) throws(FileError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.read, folder) }
    defer { close(descriptor) }
    keys = Array(repeating: FileKey.noSum, count: names.count)
    let (names, bytes) = (names, bytes)
    let parts = (names.count + Self.share - 1) / Self.share
    keys.withUnsafeMutableBufferPointer { keys in
      // Each thread writes to the places of the part that it has taken.
      nonisolated(unsafe) let keys = keys
      let next = Atomic(0)
      @Sendable func read() {
        bytes.withUnsafeBufferPointer { buffer in
          guard let base = buffer.baseAddress else { return }
          var status = stat()
          while true {
            let start = next.wrappingAdd(Self.share, ordering: .relaxed).oldValue
            guard start < names.count else { return }
            for place in start..<min(names.count, start + Self.share)
            where names[place].type == .regular {
              let found = (base + Int(names[place].start)).withMemoryRebound(
                to: CChar.self, capacity: Int(names[place].length) + 1
              ) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
              if found == 0, status.st_mode & S_IFMT == S_IFREG {
                keys[place] = FileKey(status).sum
              }
            }
          }
        }
      }
      let threads = min(workers, parts)
      if threads <= 1 {
        read()
      } else {
        DispatchQueue.concurrentPerform(iterations: threads) { _ in read() }
      }
    }
  }
}
