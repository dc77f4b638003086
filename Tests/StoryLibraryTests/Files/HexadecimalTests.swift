import StoryLibrary
import Testing

@Suite struct HexadecimalTests {
  @Test func `bytes and numbers come back`() {
    let bytes = (0...255).map { UInt8($0) }
    let text = Hexadecimal.text(bytes)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.count == 512)
    #expect(Hexadecimal.bytes(text) == bytes)
    #expect(Hexadecimal.bytes(text.uppercased()) == bytes)
    #expect(Hexadecimal.text(UInt64(0xAB)) == "00000000000000ab")
    #expect(Hexadecimal.text(UInt8(7)) == "07")
    #expect(Hexadecimal.word("00000000000000AB".utf8) == 0xAB)
  }

  @Test(arguments: ["0", "0g", "+1", " 1", "٠٠"])
  func `other text stands for no bytes`(_ text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }

  @Test(arguments: ["", "-1", "00000000000000000"])
  func `other text stands for no number`(_ text: String) {
    #expect(Hexadecimal.word(text.utf8) == nil)
  }

  @Test func `a key has as many digits as its words, and is never the same`() {
    #expect(RandomKey.make().count == 32)
    #expect(RandomKey.make(words: 4) { 1 } == String(repeating: "0000000000000001", count: 4))
    #expect(Set((0..<100).map { _ in RandomKey.make() }).count == 100)
  }
}
