/// SHA-256 as FIPS 180-4 defines it: the hash for secrets and for whatever could be forged. To detect
/// changes, use ``ContentDigest``.
///
/// Here because the system's libraries offer it only through OpenSSL.
package enum SHA256 {
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  /// The digest of a text's UTF-8.
  package static func digest(_ text: String) -> Digest {
    var copy = text
    return copy.withUTF8 { digest(UnsafeRawBufferPointer($0)) }
  }

  /// The digest of bytes.
  package static func digest(_ bytes: [UInt8]) -> Digest {
    bytes.withUnsafeBytes { digest($0) }
  }

  private static func digest(_ bytes: UnsafeRawBufferPointer) -> Digest {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    let whole = bytes.count / 64 * 64
    // Padding (section 5.1.1): one bit, zeros, the length in bits.
    var tail = Array(bytes[whole...])
    tail.append(0x80)
    while tail.count % 64 != 56 { tail.append(0) }
    let bits = UInt64(bytes.count) * 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      state.withUnsafeMutableBufferPointer { state in
        constants.withUnsafeBufferPointer { constants in
          var offset = 0
          while offset < whole {
            compress(bytes, at: offset, into: state, schedule, constants)
            offset += 64
          }
          tail.withUnsafeBytes { tail in
            for offset in stride(from: 0, to: tail.count, by: 64) {
              compress(tail, at: offset, into: state, schedule, constants)
            }
          }
        }
      }
    }
    return Digest(words: state)
  }

  /// Section 6.2.2 for one block of 64 bytes.
  private static func compress(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, into state: UnsafeMutableBufferPointer<UInt32>,
    _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
  ) {
    func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    for index in 0..<16 {
      schedule[index] = UInt32(
        bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (early, late) = (schedule[index - 15], schedule[index - 2])
      let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
      let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
      schedule[index] = schedule[index - 16] &+ sigma0 &+ schedule[index - 7] &+ sigma1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = e & f ^ ~e & g
      let first = h &+ sum1 &+ choice &+ constants[index] &+ schedule[index]
      let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }
}

/// 256 bits that stand for a secret or a request.
package struct Digest: Hashable, Sendable {
  /// The first half, for uses that only have to exclude chance.
  package let half: HalfDigest
  private let rest: HalfDigest

  init(words: [UInt32]) {
    func half(_ words: ArraySlice<UInt32>) -> HalfDigest {
      HalfDigest(bits: words.reduce(0) { $0 << 32 | UInt128($1) })
    }
    (self.half, rest) = (half(words[..<4]), half(words[4...]))
  }

  /// The digest that ``text`` wrote.
  package init?(_ text: String) {
    guard let half = HalfDigest(text.utf8.prefix(32)),
      let rest = HalfDigest(text.utf8.dropFirst(32))
    else { return nil }
    self.half = half
    self.rest = rest
  }

  /// 64 hexadecimal digits.
  package var text: String { half.text + rest.text }
}

/// 128 bits of a digest.
package struct HalfDigest: Hashable, Sendable {
  let bits: UInt128
  /// 32 hexadecimal digits.
  package var text: String { Hexadecimal.text(bits) }
}

extension HalfDigest {
  /// The digest that ``text`` wrote.
  package init?(_ text: some Collection<UInt8>) {
    guard text.count == 32, let first = Hexadecimal.word(text.prefix(16)),
      let second = Hexadecimal.word(text.dropFirst(16))
    else { return nil }
    self.init(bits: UInt128(first) << 64 | UInt128(second))
  }
}
