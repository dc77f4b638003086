/// Bytes of a gzip stream that has no end, in pieces that stand for 160 times as many zeros
/// (RFC 1951, section 3.2.6: a match of 258 bytes takes 13 bits).
package enum EndlessGzip {
  /// What stands in front: the header, and the beginning of a block with one zero.
  private static let start: [UInt8] =
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bits([(0b010, 3), (0b0000_1100, 8)] + matches(1))
  /// A piece that may follow again and again.
  private static let piece: [UInt8] = bits(matches(8 * 1_000))

  /// The beginning, with so many pieces.
  package static func bytes(pieces: Int) -> [UInt8] {
    (0..<pieces).reduce(into: start) { bytes, _ in bytes += piece }
  }

  /// So many matches of 258 bytes at distance 1, after the bits that fill the first byte.
  private static func matches(_ count: Int) -> [(bits: Int, count: Int)] {
    Array(repeating: (0b1010_0011, 8), count: count).flatMap { [$0, (0, 5)] }
  }

  private static func bits(_ codes: [(bits: Int, count: Int)]) -> [UInt8] {
    var bytes: [UInt8] = []
    var place = 0
    for code in codes {
      for number in 0..<code.count {
        if place % 8 == 0 { bytes.append(0) }
        bytes[place / 8] |= UInt8(code.bits >> number & 1) << (place % 8)
        place += 1
      }
    }
    return bytes
  }
}
