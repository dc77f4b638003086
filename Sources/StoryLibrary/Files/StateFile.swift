/// A file in `.stories/` that is believed as a whole or not at all: whatever is wrong with it, it
/// counts as missing.
///
/// It begins with a number for its form and a sum (XXH64) of everything after that. Numbers are
/// written as this machine has them, so the file of another kind of machine has another form. It is
/// replaced by a rename and not flushed: what a crash leaves of it does not have its sum.
struct StateFile {
  /// The file's name in the state folder.
  let name: String
  /// The form of what is in it, to be raised with each change.
  let form: UInt64

  /// The bytes before the content: the form and the sum.
  static let headerSize = 16
  /// The largest file that is read: 512 MiB, for some millions of records.
  private static let largest = 512 << 20

  /// Returns the content of the file, or `nil` if the file is missing or damaged.
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

  /// Replaces the file. Nothing happens if the system does not allow it, or if a newer program wrote
  /// the library.
  func write(_ writer: inout StateWriter, _ library: Library) {
    guard (try? library.checkWritable()) != nil, (try? library.prepareStateFolder()) != nil else {
      return
    }
    writer.seal(form, Self.sum(writer.content))
    _ = try? AtomicFile.write(
      writer.bytes, to: library.statePath(name), mode: 0o600, isFlushed: false)
  }

  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { xxHash64($0, seed: 0) }
  }
}

/// Puts numbers and texts one after the other, after the room for what a ``StateFile`` begins with.
struct StateWriter {
  fileprivate private(set) var bytes = [UInt8](repeating: 0, count: StateFile.headerSize)

  /// Makes room for so many bytes more.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// What was added.
  var content: ArraySlice<UInt8> { bytes[StateFile.headerSize...] }

  fileprivate mutating func seal(_ form: UInt64, _ sum: UInt64) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: form, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: sum, toByteOffset: 8, as: UInt64.self)
    }
  }

  /// Appends a number, or a value that consists of numbers without gaps.
  mutating func add(_ value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  /// Appends what a reader gave.
  mutating func add(contentsOf content: ArraySlice<UInt8>) { bytes += content }

  /// Appends a text with its length.
  mutating func add(_ text: String) {
    add(UInt32(clamping: text.utf8.count))
    add(plain: text)
  }

  /// Appends a text alone.
  mutating func add(plain text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a text that may be missing.
  mutating func add(_ text: String?) {
    add(UInt8(text == nil ? 0 : 1))
    if let text { add(text) }
  }
}

/// Takes apart what a ``StateWriter`` put together.
struct StateReader {
  /// There is less than was asked for.
  struct Damage: Error {}

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// What has not been read yet.
  var rest: ArraySlice<UInt8> { bytes[place...] }

  /// What was read since, by a copy of this reader that is farther.
  func bytes(to end: StateReader) -> ArraySlice<UInt8> { bytes[place..<end.place] }

  /// Whether everything has been read.
  var isAtEnd: Bool { place == bytes.count }

  mutating func value<Value: BitwiseCopyable>(_ type: Value.Type) throws(Damage) -> Value {
    let size = MemoryLayout<Value>.size
    guard size <= bytes.count - place else { throw Damage() }
    defer { place += size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
  }

  mutating func text() throws(Damage) -> String { try text(Int(try value(UInt32.self))) }

  /// A text of so many bytes.
  mutating func text(_ count: Int) throws(Damage) -> String {
    guard count <= bytes.count - place else { throw Damage() }
    defer { place += count }
    return bytes.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[place..<place + count]), as: UTF8.self)
    }
  }

  /// Goes on behind a text with its length.
  ///
  /// - Returns: whether that text stands here.
  mutating func skip(_ text: String) -> Bool {
    let start = place
    guard let count = try? value(UInt32.self), Int(count) == text.utf8.count,
      count <= bytes.count - place, bytes[place..<place + Int(count)].elementsEqual(text.utf8)
    else {
      place = start
      return false
    }
    place += Int(count)
    return true
  }

  mutating func optionalText() throws(Damage) -> String? {
    try value(UInt8.self) == 0 ? nil : text()
  }
}
