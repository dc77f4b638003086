import Testing

@testable import StoryLibrary

@Suite("Digests")
struct ContentDigestTests {
  /// The buffer that xxHash's own sanity check hashes (xxhsum.c of xxHash 0.6).
  private static let buffer: [UInt8] = {
    var generator: UInt32 = 2_654_435_761
    return (0..<101).map { _ in
      defer { generator = generator &* generator }
      return UInt8(generator >> 24)
    }
  }()

  @Test(
    "the sums that xxHash publishes for XXH64",
    arguments: [
      (0, 0, 0xEF46_DB37_51D8_E999), (0, 2_654_435_761, 0xAC75_FDA2_929B_17EF),
      (1, 0, 0x4FCE_394C_C889_52D8), (1, 2_654_435_761, 0x7398_40CB_819F_A723),
      (4, 0, 0x9256_E58A_A397_AEF1), (4, 2_654_435_761, 0x09D5_FFDF_B928_AB4B),
      (8, 0, 0xF74C_B145_1B32_B8CF), (8, 2_654_435_761, 0x9C44_B77F_BCC3_02C5),
      (14, 0, 0xCFFA_8DB8_81BC_3A3D), (14, 2_654_435_761, 0x5B96_1158_5EFC_C9CB),
      (32, 0, 0xAF57_53D3_9159_EDEE), (32, 2_654_435_761, 0xDCAB_9233_B8CA_7B0F),
      (101, 0, 0x0EAB_5433_84F8_78AD), (101, 2_654_435_761, 0xCAA6_5939_306F_1E21),
    ] as [(Int, UInt64, UInt64)])
  func published(_ count: Int, _ seed: UInt64, _ sum: UInt64) {
    let found = Self.buffer.prefix(count).withUnsafeBytes { xxHash64($0, seed: seed) }
    #expect(found == sum)
  }

  @Test("text form and back")
  func description() throws {
    let digest = ContentDigest("abc".utf8)
    #expect(digest.description.hasPrefix("44bc2cf5ad770999"))
    #expect(digest.description.utf8.count == 32)
    #expect(ContentDigest(digest.description) == digest)
    let low = ContentDigest([UInt8]())
    #expect(ContentDigest(low.description) == low)
  }

  @Test(
    "what is no digest",
    arguments: [
      "", "44bc", String(repeating: "g", count: 32), String(repeating: "0", count: 33),
      "+" + String(repeating: "0", count: 31), String(repeating: "A", count: 32),
      String(repeating: "٠", count: 16),
    ])
  func refused(_ text: String) {
    #expect(ContentDigest(text) == nil)
  }

  @Test("the same bytes in whatever sequence give the same digest")
  func sequences() {
    let bytes = Self.buffer
    #expect(ContentDigest(bytes) == ContentDigest(bytes[...]))
    #expect(ContentDigest(bytes) == ContentDigest(AnySequence(bytes)))
    #expect(ContentDigest("\u{E9}".utf8) != ContentDigest("e\u{301}".utf8))
  }

  @Test("a digest is two sums, of however many bytes")
  func twoSums() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 167) }
    for count in 0...bytes.count {
      let digest = ContentDigest(bytes[..<count])
      let sums = [0, 0x9E37_79B9_7F4A_7C15].map { seed in
        bytes[..<count].withUnsafeBytes { xxHash64($0, seed: seed) }
      }
      #expect([digest.high, digest.low] == sums, "\(count) bytes")
    }
  }
}
