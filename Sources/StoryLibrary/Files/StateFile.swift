/// A file in `.stories/` that is either valid as a whole or treated as missing.
///
/// It begins with a format number and an XXH64 sum of everything that follows. Numbers have native
/// byte order and layout, so a file from another kind of machine has another format. It is replaced
/// by a rename without a flush: whatever a crash leaves does not match the sum.
struct StateFile {
  let name: String
  /// The format number, which must increase with each change.
  let form: UInt64

  /// The size of the format number and the sum.
  static let headerSize = 16
  /// The maximum size that is read: 512 MiB, enough for some millions of records.
  private static let largest = 512 << 20

  /// Returns the content, or `nil` if the file is missing or damaged.
  func read(_ library: Library) -> StateReader? {
    guard let bytes = try? FileSystem.read(library.statePath(name), limit: Self.largest) else {
      return nil
    }
    var reader = StateReader(bytes)
    guard (try? reader.value(UInt64.self)) == form,
      (try? reader.value(UInt64.self)) == Self.sum(bytes[Self.headerSize...])
    else { return nil }
    return reader
  }

  /// Replaces the file, unless the system forbids it or a newer program has written the library.
  func write(_ writer: inout StateWriter, _ library: Library) {
    guard (try? library.checkWritable()) != nil, (try? library.prepareStateFolder()) != nil else {
      return
    }
    writer.seal(form, Self.sum(writer.content))
    _ = try? AtomicFile.writePrivate(writer.bytes, to: library.statePath(name), isFlushed: false)
  }

  static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { xxHash64($0, seed: 0) }
  }
}

/// Appends numbers and strings after the header of a ``StateFile``.
struct StateWriter {
  fileprivate private(set) var bytes = [UInt8](repeating: 0, count: StateFile.headerSize)

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  var count: Int { bytes.count }

  var content: ArraySlice<UInt8> { bytes[StateFile.headerSize...] }

  fileprivate mutating func seal(_ form: UInt64, _ sum: UInt64) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: form, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: sum, toByteOffset: 8, as: UInt64.self)
    }
  }

  /// Appends a number, or a value that consists of numbers without padding.
  mutating func add(_ value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func add(contentsOf content: ArraySlice<UInt8>) { bytes += content }

  /// Replaces a number that was added when ``count`` was `place`.
  mutating func set(_ value: UInt32, at place: Int) {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: place, as: UInt32.self) }
  }

  /// Appends a string with its length.
  mutating func add(_ text: String) {
    add(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }
}

/// Reads what a ``StateWriter`` wrote.
struct StateReader {
  /// The content is shorter than requested.
  struct Damage: Error {}

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: ArraySlice<UInt8> { bytes[place...] }

  /// Returns the bytes from this reader's position to that of `end`, a copy that has read further.
  func bytes(to end: StateReader) -> ArraySlice<UInt8> { bytes[place..<end.place] }

  var isAtEnd: Bool { place == bytes.count }

  mutating func value<Value: BitwiseCopyable>(_ type: Value.Type) throws(Damage) -> Value {
    let size = MemoryLayout<Value>.size
    guard size <= bytes.count - place else { throw Damage() }
    defer { place += size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
  }

  mutating func text() throws(Damage) -> String {
    let count = Int(try value(UInt32.self))
    guard count <= bytes.count - place else { throw Damage() }
    defer { place += count }
    return bytes.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[place..<place + count]), as: UTF8.self)
    }
  }

  mutating func skip(_ count: Int) throws(Damage) {
    guard count <= bytes.count - place else { throw Damage() }
    place += count
  }
}
