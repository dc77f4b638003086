/// A 128-bit fingerprint that shows whether a file has changed.
///
/// It consists of two XXH64 sums with different seeds (xxHash specification, version 0.1.1). It
/// detects accidental changes, not deliberate collisions, so it must not be used to establish
/// trust. The same bytes have the same digest on every machine.
public struct ContentDigest: Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
  let high: UInt64
  let low: UInt64

  /// A placeholder that is stored where a separate flag says that there is no digest.
  package static let zero = ContentDigest(high: 0, low: 0)

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
    (high, low) = xxHash64(buffer, seeds: 0, 0x9E37_79B9_7F4A_7C15)
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

func xxHash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
  var sum = XXH64Sum(seed: seed)
  return sum.finish(bytes)
}

/// Computes XXH64 with two seeds in one pass.
private func xxHash64(
  _ bytes: UnsafeRawBufferPointer, seeds first: UInt64, _ second: UInt64
) -> (UInt64, UInt64) {
  var (lanes, others) = (XXH64Lanes(seed: first), XXH64Lanes(seed: second))
  var offset = 0
  while offset + 32 <= bytes.count {
    lanes.add(bytes, at: offset)
    others.add(bytes, at: offset)
    offset += 32
  }
  return (lanes.finish(bytes, from: offset), others.finish(bytes, from: offset))
}

/// An XXH64 sum of bytes that arrive in parts.
struct XXH64Sum {
  /// The length of every part except the last is a multiple of this many bytes.
  static let unit = 32

  private var lanes: XXH64Lanes
  private var count = 0

  init(seed: UInt64) { lanes = XXH64Lanes(seed: seed) }

  /// Adds a part that is not the last.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for offset in stride(from: 0, to: bytes.count, by: Self.unit) { lanes.add(bytes, at: offset) }
    count += bytes.count
  }

  /// Adds the last part and returns the sum.
  mutating func finish(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let whole = bytes.count / Self.unit * Self.unit
    for offset in stride(from: 0, to: whole, by: Self.unit) { lanes.add(bytes, at: offset) }
    return lanes.finish(bytes, from: whole, behind: count)
  }
}

private let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
private let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
private let prime3: UInt64 = 0x1656_67B1_9E37_79F9
private let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
private let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

/// The state of one XXH64 sum: four lanes that each take 8 of every 32 bytes.
private struct XXH64Lanes {
  private let seed: UInt64
  private var lane1: UInt64
  private var lane2: UInt64
  private var lane3: UInt64
  private var lane4: UInt64

  @inline(__always)
  init(seed: UInt64) {
    self.seed = seed
    lane1 = seed &+ prime1 &+ prime2
    lane2 = seed &+ prime2
    lane3 = seed
    lane4 = seed &- prime1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Adds the 32 bytes at `offset`.
  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    lane1 = Self.round(lane1, Self.word(bytes, offset))
    lane2 = Self.round(lane2, Self.word(bytes, offset + 8))
    lane3 = Self.round(lane3, Self.word(bytes, offset + 16))
    lane4 = Self.round(lane4, Self.word(bytes, offset + 24))
  }

  /// Returns the sum of all bytes, where the bytes before `start` and `earlier` bytes before those
  /// have already been added.
  func finish(
    _ bytes: UnsafeRawBufferPointer, from start: Int, behind earlier: Int = 0
  ) -> UInt64 {
    let total = earlier + bytes.count
    var hash = seed &+ prime5
    if total >= 32 {
      hash = Self.rotate(lane1, 1) &+ Self.rotate(lane2, 7)
      hash = hash &+ Self.rotate(lane3, 12) &+ Self.rotate(lane4, 18)
      hash = (hash ^ Self.round(0, lane1)) &* prime1 &+ prime4
      hash = (hash ^ Self.round(0, lane2)) &* prime1 &+ prime4
      hash = (hash ^ Self.round(0, lane3)) &* prime1 &+ prime4
      hash = (hash ^ Self.round(0, lane4)) &* prime1 &+ prime4
    }
    hash = hash &+ UInt64(total)
    var offset = start
    while offset + 8 <= bytes.count {
      hash = Self.rotate(hash ^ Self.round(0, Self.word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      hash = Self.rotate(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash = Self.rotate(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
      offset += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }
}
