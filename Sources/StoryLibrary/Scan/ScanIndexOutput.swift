#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes an index file piece by piece, so that it is never in memory as a whole.
struct ScanIndexOutput {
  /// How many bytes are written at once.
  private static let blockSize = 8_192 * XXH64Sum.unit

  private let descriptor: Int32
  private var block: [UInt8] = []
  private var sum = XXH64Sum(seed: 0)
  private var offset = MemoryLayout<ScanIndex.Header>.size
  private var isWritten = true

  /// An output to a file that is open for writing.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    block.reserveCapacity(Self.blockSize)
  }

  /// Adds bytes behind those that came before; the first come behind the header.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Self.blockSize - block.count)
      block += UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      start = end
      guard block.count == Self.blockSize else { continue }
      block.withUnsafeBytes { sum.add($0) }
      flush()
    }
  }

  /// Writes what is left, and the header with the sum of all.
  ///
  /// - Returns: whether everything was written.
  mutating func finish(_ header: ScanIndex.Header) -> Bool {
    var header = header
    header.sum = block.withUnsafeBytes { sum.finish($0) }
    flush()
    withUnsafeBytes(of: header) { write($0, at: 0) }
    return isWritten
  }

  private mutating func flush() {
    block.withUnsafeBytes { write($0, at: offset) }
    offset += block.count
    block.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    var written = 0
    while isWritten, written < bytes.count, let start = bytes.baseAddress {
      let count = FileSystem.retried {
        pwrite(descriptor, start + written, bytes.count - written, off_t(offset + written))
      }
      isWritten = count > 0
      written += count
    }
  }
}
