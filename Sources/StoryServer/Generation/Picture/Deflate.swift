/// Compresses bytes (RFC 1951) in the frame of RFC 1950: repetitions are looked for in the last
/// 32 KiB, and all is written in one block with the fixed codes.
struct Deflate {
  private var output: [UInt8] = []
  private var bits: UInt64 = 0
  private var count: UInt64 = 0

  /// The bytes as a stream of zlib.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var deflate = Deflate()
    // RFC 1950, section 2.2: deflate with a window of 32 KiB; the check makes a multiple of 31.
    deflate.output = [0x78, 0x9C]
    deflate.output.reserveCapacity(bytes.count / 4)
    bytes.withUnsafeBufferPointer { deflate.compress($0) }
    let check = adler32(bytes)
    return deflate.output + withUnsafeBytes(of: check.bigEndian) { Array($0) }
  }

  /// RFC 1950, section 8.2; sums are reduced before 32 bits can overflow.
  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + 5552)
        for index in start..<end {
          low &+= UInt32(bytes[index])
          high &+= low
        }
        low %= 65521
        high %= 65521
        start = end
      }
    }
    return high << 16 | low
  }

  private mutating func compress(_ bytes: UnsafeBufferPointer<UInt8>) {
    // The last block, with the fixed codes (section 3.2.3).
    put(0b011, 3)
    let hashBits = 15
    let heads = UnsafeMutablePointer<Int32>.allocate(capacity: 1 << hashBits)
    heads.initialize(repeating: -1, count: 1 << hashBits)
    let links = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, bytes.count))
    defer {
      heads.deallocate()
      links.deallocate()
    }
    func hash(_ index: Int) -> Int {
      let word =
        UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
      return Int((word &* 0x9E37_79B1) >> UInt32(32 - hashBits))
    }
    var index = 0
    while index < bytes.count {
      var (best, distance) = (0, 0)
      if index + 2 < bytes.count {
        let key = hash(index)
        let longest = min(258, bytes.count - index)
        var candidate = Int(heads[key])
        var tries = 24
        while candidate >= 0, index - candidate <= 32768, tries > 0, best < longest {
          if bytes[candidate + best] == bytes[index + best] {
            var length = 0
            while length < longest, bytes[candidate + length] == bytes[index + length] {
              length += 1
            }
            if length > best { (best, distance) = (length, index - candidate) }
          }
          candidate = Int(links[candidate])
          tries -= 1
        }
        links[index] = heads[key]
        heads[key] = Int32(index)
      }
      guard best >= 3 else {
        put(literal: Int(bytes[index]))
        index += 1
        continue
      }
      put(length: best, distance: distance)
      // In a long run of one byte the places in between would all be alike.
      for place in index + 1..<min(index + min(best, 32), bytes.count - 2) {
        let key = hash(place)
        links[place] = heads[key]
        heads[key] = Int32(place)
      }
      index += best
    }
    put(literal: 256)
    if count > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
  }

  // MARK: Codes

  /// Appends bits, the lowest first.
  private mutating func put(_ value: Int, _ length: Int) {
    bits |= UInt64(value) << count
    count += UInt64(length)
    while count >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
  }

  /// Appends a Huffman code, whose highest bit comes first.
  private mutating func put(code: Int, _ length: Int) {
    var reversed = 0
    for bit in 0..<length where code & 1 << bit != 0 { reversed |= 1 << (length - 1 - bit) }
    put(reversed, length)
  }

  /// A literal or a length by the fixed codes (section 3.2.6).
  private mutating func put(literal: Int) {
    switch literal {
    case 0..<144: put(code: 0x30 + literal, 8)
    case 144..<256: put(code: 0x190 + literal - 144, 9)
    case 256..<280: put(code: literal - 256, 7)
    default: put(code: 0xC0 + literal - 280, 8)
    }
  }

  private mutating func put(length: Int, distance: Int) {
    // Section 3.2.5: each code stands for the values from its base on, told apart by extra bits.
    if length == 258 {
      put(literal: 285)
    } else {
      let (code, extra, rest) = Self.code(length - 3, direct: 4)
      put(literal: 257 + code)
      put(rest, extra)
    }
    let (code, extra, rest) = Self.code(distance - 1, direct: 2)
    put(code: code, 5)
    put(rest, extra)
  }

  /// The code of a value where the codes for each power of two are `direct` many.
  private static func code(_ value: Int, direct: Int) -> (code: Int, extra: Int, rest: Int) {
    guard value >= 2 * direct else { return (value, 0, 0) }
    let top = Int.bitWidth - 1 - value.leadingZeroBitCount
    let extra = top - direct.trailingZeroBitCount
    let code = (extra + 1) * direct + (value >> extra) - direct
    return (code, extra, value & ((1 << extra) - 1))
  }
}
