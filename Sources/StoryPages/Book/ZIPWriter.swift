import StoryLibrary

/// Writes a ZIP archive whose files are stored as they are (PKWARE APPNOTE 6.3.4).
///
/// All times are the first of 1980, so that the same files give the same archive. The archive's
/// comment is the digest of everything before it, which shows whether the archive was edited.
struct ZIPWriter {
  private struct Entry {
    var name: [UInt8]
    var sum: UInt32
    var size: UInt32
    var offset: UInt32
  }

  private let output: OutputFile
  private var entries: [Entry] = []
  private var digest = PartsDigest()
  private static let commentSize = 32

  init(_ output: OutputFile) { self.output = output }

  /// Adds a file.
  ///
  /// - Throws: ``ExportError/tooLarge``; `FileError`.
  mutating func add(_ name: String, _ bytes: [UInt8]) throws {
    try start(name, sum: bytes.withUnsafeBytes { CRC32.sum($0) }, size: bytes.count)
    try write(bytes)
  }

  /// Adds a copy of a file, which may be too large to be held in memory.
  ///
  /// - Throws: ``ExportError/tooLarge``; `FileError`, also if the file changes meanwhile.
  mutating func add(_ name: String, file: ConfinedPath) throws {
    var (sum, size) = (CRC32(), 0)
    try FileSystem.readChunks(file) { (bytes) throws(FileError) in
      sum.add(bytes)
      size += bytes.count
    }
    try start(name, sum: sum.value, size: size)
    var copied = CRC32()
    try FileSystem.readChunks(file) { (bytes) throws(FileError) in
      copied.add(bytes)
      try write(Array(bytes))
    }
    guard copied.value == sum.value else { throw FileError.changedMeanwhile(file.text) }
  }

  private mutating func start(_ name: String, sum: UInt32, size: Int) throws {
    guard output.size + size < Int(UInt32.max) - (1 << 24), entries.count < 65_535 else {
      throw ExportError.tooLarge
    }
    let entry = Entry(
      name: Array(name.utf8), sum: sum, size: UInt32(size), offset: UInt32(output.size))
    entries.append(entry)
    try write(Self.bytes(UInt32(0x0403_4B50)) + Self.common(entry) + entry.name)
  }

  private mutating func write(_ bytes: [UInt8]) throws(FileError) {
    digest.add(bytes)
    try output.write(bytes)
  }

  /// Returns whether a file is an archive of this writer and was not edited since.
  static func isUnedited(_ file: String) throws(FileError) -> Bool {
    var (digest, end): (PartsDigest, [UInt8]) = (PartsDigest(), [])
    try FileSystem.readChunks(file) { (bytes) throws(FileError) in
      end += bytes
      digest.add(Array(end.dropLast(commentSize)))
      end = end.suffix(commentSize)
    }
    return end == Array(digest.value.description.utf8)
  }

  /// Writes the list of the files and the comment.
  mutating func finish() throws {
    let start = output.size
    for entry in entries {
      // No comment, one disk, no attributes.
      let attributes = [UInt8](repeating: 0, count: 10) + Self.bytes(entry.offset)
      try write(
        Self.bytes(UInt32(0x0201_4B50), UInt16(20)) + Self.common(entry) + attributes + entry.name)
    }
    let count = UInt16(entries.count)
    try write(
      Self.bytes(
        UInt32(0x0605_4B50), UInt32(0), count, count, UInt32(output.size - start), UInt32(start),
        UInt16(Self.commentSize)))
    try output.write(Array(digest.value.description.utf8))
  }

  /// Returns the fields that a local header and a central directory entry share.
  private static func common(_ entry: Entry) -> [UInt8] {
    // Names are UTF-8. The first entry of a book needs all other numbers to be plain.
    let flags: UInt16 = entry.name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11
    return bytes(
      UInt16(10), flags, UInt16(0), UInt16(0), UInt16(0x21), entry.sum, entry.size, entry.size,
      UInt16(entry.name.count), UInt16(0))
  }

  private static func bytes<each Number: FixedWidthInteger>(
    _ numbers: repeat each Number
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in repeat each numbers {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
