#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the last scan found of files that have not changed since: `.stories/index`.
///
/// It is a cache. A pair of files is taken from it only where both have the very keys
/// (``FileKey``) that they had when they were read, and where the names in the record still stand for
/// what they stood for. Without it, and where it is damaged in any bit, of another version, of
/// another machine or of another schema, the files are read and a new one is written.
///
/// A file whose last change is as new as the scan that read it is not noted: it could change again
/// within the same tick of the file system's clock. It is read again until it has settled.
///
/// The form, with numbers as this machine writes them (so the magic number of another kind of
/// machine is another): the header; then for each kind a section with the pairs in the order of
/// their names' bytes, the references that they have, and the texts.
struct ScanIndex: Sendable {
  /// The form of the file and what the scanner makes of a pair; to be raised where either changes.
  static let version: UInt32 = 1
  /// The file, in the state folder.
  static let fileName = "index"
  static let magic: UInt64 = 0x5354_4F52_4945_5358

  /// What a file begins with.
  struct Header: BitwiseCopyable {
    var magic: UInt64
    var version: UInt32
    /// The size of a pair, which another compiler might lay out in another way.
    var pairSize: UInt32
    /// A digest of the schemas, which decide what a record means.
    var schemas: UInt64
    /// The sum of everything behind the header.
    var sum: UInt64
    /// The bytes of each kind's section, in the order of the kinds.
    var sections: (UInt64, UInt64, UInt64)
  }

  /// What a section begins with.
  struct SectionHeader: BitwiseCopyable {
    var pairs: UInt32
    var references: UInt32
    var targets: UInt32
    var texts: UInt32
  }

  /// What is known of a record and its sidecar.
  struct Pair: BitwiseCopyable {
    /// The sums of the files' keys, ``FileKey/sum``.
    var record: UInt64
    var sidecar: UInt64
    var digest: ContentDigest
    var sidecarDigest: ContentDigest
    var changes: UInt32
    var outdated: UInt32
    /// The name, the id and the version, one behind the other among the texts.
    var text: UInt32
    var nameLength: UInt16
    var idLength: UInt16
    /// The places of the pair's references among ``SectionHeader/targets``.
    var firstTarget: UInt32
    var targetCount: UInt8
    var versionLength: UInt8
    var state: UInt8
    /// See ``Flags``.
    var flags: UInt8
  }

  /// What a pair has.
  struct Flags: OptionSet {
    var rawValue: UInt8
    static let record = Flags(rawValue: 1)
    static let sidecar = Flags(rawValue: 2)
    static let deleteStated = Flags(rawValue: 4)
    static let conflictOfFields = Flags(rawValue: 8)
    static let conflictDeletedOnServer = Flags(rawValue: 16)
    static let conflictDeletedHere = Flags(rawValue: 32)
  }

  /// A record that others name, and what that name stood for.
  struct Reference: BitwiseCopyable {
    var text: UInt32
    var nameLength: UInt16
    /// 0 where the server did not have the record yet.
    var idLength: UInt16
    /// The place of its kind among all kinds.
    var kind: UInt32
  }

  private let sections: [EntityKind: ScanIndexSection]

  /// The section of a kind; `nil` where there is none.
  subscript(kind: EntityKind) -> ScanIndexSection? { sections[kind] }

  /// Reads a library's index; `nil` where there is none that can be used.
  ///
  /// It is read and not mapped: a mapped file that somebody cuts off would end the program.
  init?(_ library: Library) {
    guard (try? FileSystem.status(library.statePath()))?.type == .folder,
      let bytes = ScanIndexBytes(library.statePath(Self.fileName))
    else { return nil }
    let size = MemoryLayout<Header>.size
    guard let header = bytes.load(Header.self, at: 0), header.magic == Self.magic,
      header.version == Self.version,
      header.pairSize == UInt32(MemoryLayout<Pair>.stride), header.schemas == Self.schemas,
      header.sum == bytes.sum(from: size)
    else { return nil }
    let lengths = [header.sections.0, header.sections.1, header.sections.2]
    guard lengths.count == EntityKind.writable.count else { return nil }
    var sections: [EntityKind: ScanIndexSection] = [:]
    var start = size
    for (kind, length) in zip(EntityKind.writable, lengths) {
      guard length <= UInt64(bytes.count - start),
        let section = ScanIndexSection(bytes, start..<start + Int(length))
      else { return nil }
      sections[kind] = section
      start += Int(length)
    }
    guard start == bytes.count else { return nil }
    self.sections = sections
  }

  /// A digest of everything that decides what a record means.
  static let schemas: UInt64 = {
    var text = ""
    for kind in EntityKind.allCases {
      text += kind.rawValue + "\n"
      for field in kind.schema.fields { text += field.summary + "\n" }
    }
    return ContentDigest(text.utf8).high
  }()
}

/// The bytes of an index file, for as long as somebody has a part of them.
final class ScanIndexBytes: @unchecked Sendable {
  // Nothing writes to the buffer once it is made.
  private let buffer: UnsafeMutableRawBufferPointer

  /// The number of bytes.
  var count: Int { buffer.count }

  /// Reads a file; `nil` where there is none, or where something else has the name.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
    else { return nil }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(status.st_size), alignment: 8)
    self.buffer = buffer
    var count = 0
    while count < buffer.count {
      let got = FileSystem.retried {
        read(descriptor, buffer.baseAddress! + count, buffer.count - count)
      }
      guard got > 0 else { return nil }
      count += got
    }
  }

  deinit { buffer.deallocate() }

  /// The sum of the bytes from a place on.
  func sum(from start: Int) -> UInt64 {
    guard start <= count else { return 0 }
    return xxHash64(UnsafeRawBufferPointer(rebasing: buffer[start...]), seed: 0)
  }

  /// A value that lies at a place; `nil` where it does not fit in.
  func load<Value: BitwiseCopyable>(_ type: Value.Type, at start: Int) -> Value? {
    guard start >= 0, start <= count - MemoryLayout<Value>.size else { return nil }
    return buffer.loadUnaligned(fromByteOffset: start, as: type)
  }

  /// A part of the bytes; `nil` where there are not so many.
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[range])
  }
}
