/// A 128-bit fingerprint of some bytes: tells whether a file is still what it was.
///
/// It is two XXH64 sums with different seeds (the XXH64 of the xxHash specification, version 0.1.1).
/// It guards against accidents, not against someone who looks for collisions: nothing is trusted
/// because of it. The same bytes give the same digest on every machine.
public struct ContentDigest: Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The digest of `bytes`.
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

  /// A digest from its 32 lower-case hexadecimal digits; `nil` for anything else.
  public init?(_ description: String) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
    guard description.utf8.count == 32,
      description.utf8.allSatisfy({ digits.contains($0) || letters.contains($0) }),
      let high = UInt64(description.prefix(16), radix: 16),
      let low = UInt64(description.suffix(16), radix: 16)
    else { return nil }
    self.high = high
    self.low = low
  }

  /// The sum of two digests: that of several things is the same in whatever order they are added.
  public func adding(_ other: ContentDigest) -> ContentDigest {
    ContentDigest(high: high &+ other.high, low: low &+ other.low)
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String { hexadecimal(high) + hexadecimal(low) }
}

private func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// XXH64 of `bytes`.
func xxHash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
  let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
  func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }
  func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  var offset = 0
  var hash: UInt64
  if bytes.count >= 32 {
    var lane1 = seed &+ prime1 &+ prime2
    var lane2 = seed &+ prime2
    var lane3 = seed
    var lane4 = seed &- prime1
    while offset + 32 <= bytes.count {
      lane1 = round(lane1, word(offset))
      lane2 = round(lane2, word(offset + 8))
      lane3 = round(lane3, word(offset + 16))
      lane4 = round(lane4, word(offset + 24))
      offset += 32
    }
    hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
    for lane in [lane1, lane2, lane3, lane4] {
      hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
    }
  } else {
    hash = seed &+ prime5
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
