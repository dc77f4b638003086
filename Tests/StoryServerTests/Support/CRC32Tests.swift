import Testing

@testable import StoryServer

@Suite struct CRC32Tests {
  @Test("CRC-32 as zlib has it", arguments: 0..<40)
  func crc32(_ length: Int) {
    let text = Array("123456789 and some more bytes than fit into a step".utf8.prefix(length))
    #expect(text.withUnsafeBytes { CRC32.checksum($0) } == Self.plainCRC32(text))
  }

  @Test func crc32CheckValue() {
    // The check value that catalogues of CRCs give for this polynomial.
    #expect(Array("123456789".utf8).withUnsafeBytes { CRC32.checksum($0) } == 0xCBF4_3926)
  }

  private static func plainCRC32(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
