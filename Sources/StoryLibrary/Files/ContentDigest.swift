/// A 128-bit fingerprint that shows whether a file has changed.
///
/// It consists of two XXH64 sums with different seeds (xxHash specification, version 0.1.1). It
/// detects accidental changes, not deliberate collisions, so it must not be used to establish
/// trust. The same bytes have the same digest on every machine.
public struct ContentDigest: Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Computes the digest of `bytes`.
  public init(_ bytes: some Sequence<UInt8>) {
    let digest =
      bytes.withContiguousStorageIfAvailable { Self(buffer: UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { Self(buffer: $0) }
    self = digest
  }

  private init(buffer: UnsafeRawBufferPointer) {
    high = xxHash64(buffer, seed: 0)
    low = xxHash64(buffer, seed: 0x9E37_79B9_7F4A_7C15)
  }

  /// Creates a digest from 32 lowercase hexadecimal digits, or returns `nil` for any other text.
  public init?(_ description: String) {
    let digits = description.utf8
    guard digits.count == 32, !digits.contains(where: { (0x41...0x46).contains($0) }),
      let high = Hexadecimal.word(digits.prefix(16)), let low = Hexadecimal.word(digits.suffix(16))
    else { return nil }
    self.high = high
    self.low = low
  }

  /// Returns the sum of two digests, which does not depend on the order of addition.
  public func adding(_ other: ContentDigest) -> ContentDigest {
    ContentDigest(high: high &+ other.high, low: low &+ other.low)
  }

  /// The digest as 32 lowercase hexadecimal digits.
  public var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}

private let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
private let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
private let prime3: UInt64 = 0x1656_67B1_9E37_79F9
private let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
private let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

/// Returns the XXH64 sum of bytes.
func xxHash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
  @inline(__always)
  func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
  @inline(__always)
  func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }
  @inline(__always)
  func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
  var hash = seed &+ prime5
  var offset = 0
  if bytes.count >= 32 {
    // Four lanes each take 8 of every 32 bytes.
    var (lane1, lane2) = (seed &+ prime1 &+ prime2, seed &+ prime2)
    var (lane3, lane4) = (seed, seed &- prime1)
    while offset + 32 <= bytes.count {
      lane1 = round(lane1, word(offset))
      lane2 = round(lane2, word(offset + 8))
      lane3 = round(lane3, word(offset + 16))
      lane4 = round(lane4, word(offset + 24))
      offset += 32
    }
    hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
    hash = (hash ^ round(0, lane1)) &* prime1 &+ prime4
    hash = (hash ^ round(0, lane2)) &* prime1 &+ prime4
    hash = (hash ^ round(0, lane3)) &* prime1 &+ prime4
    hash = (hash ^ round(0, lane4)) &* prime1 &+ prime4
  }
  hash = hash &+ UInt64(bytes.count)
  while offset + 8 <= bytes.count {
    hash = rotate(hash ^ round(0, word(offset)), 27) &* prime1 &+ prime4
    offset += 8
  }
  if offset + 4 <= bytes.count {
    let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    hash = rotate(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
    offset += 4
  }
  while offset < bytes.count {
    hash = rotate(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
    offset += 1
  }
  hash = (hash ^ hash >> 33) &* prime2
  hash = (hash ^ hash >> 29) &* prime3
  return hash ^ hash >> 32
}
