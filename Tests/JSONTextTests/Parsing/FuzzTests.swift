import JSONText
import TestSupport
import Testing

/// Texts with random bytes in them: whatever they hold, reading them ends with a value or an error.
@Suite("Damaged texts")
struct FuzzTests {
  @Test("are read or refused", arguments: [21 as UInt64, 22])
  func mutations(seed: UInt64) throws {
    print("fuzz, seed \(seed)")
    var generator = TextGenerator(seed: seed)
    var accepted = 0
    var refused = 0
    for round in 0..<4000 {
      let value = generator.value(depth: 4)
      var text = generator.text(of: value, style: generator.style())
      for _ in 0...generator.random.below(3) { damage(&text, &generator.random) }
      do throws(JSONSyntaxError) {
        let document = try JSONDocument(parsing: text)
        accepted += 1
        let parsed = document.root.value
        let edited = try? document.setting([("new", parsed), ("name", nil)])
        guard document.bytes == text, try JSONValue(parsing: parsed.compactBytes) == parsed,
          document.layout.colon.contains(":"), (edited != nil) == (parsed.object != nil)
        else {
          Issue.record("seed \(seed), round \(round): \(show(text))")
          return
        }
      } catch {
        refused += 1
        guard (0...text.count).contains(error.offset), !error.message.isEmpty,
          error.position == TextPosition(offset: error.offset, in: text)
        else {
          Issue.record("seed \(seed), round \(round): \(error) in \(show(text))")
          return
        }
      }
    }
    // Both happen, or the damage is too small or too great to tell anything.
    #expect(accepted > 400)
    #expect(refused > 400)
  }

  @Test("that stop early are refused")
  func prefixes() throws {
    let text = Array("{\"a\": [1.5e3, true, \"x\\u00e9🦊\"], \"b\": {\"c\": null}}".utf8)
    _ = try JSONDocument(parsing: text)
    for end in text.indices {
      let error = #expect(throws: JSONSyntaxError.self) {
        try JSONDocument(parsing: Array(text[..<end]))
      }
      #expect(error?.offset ?? .max <= end)
    }
  }

  @Test("of bytes outside ASCII are read exactly where the standard library finds UTF-8")
  func bytesOutsideASCII() {
    let seed: UInt64 = 23
    print("bytes outside ASCII, seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let edges: [UInt8] = [
      0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
      0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      let bytes = (0..<1 + random.below(4)).map { _ in random.pick(edges) }
      let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
      let quote: [UInt8] = [0x22]
      let document = try? JSONDocument(parsing: quote + bytes + quote)
      if isUTF8 { accepted += 1 }
      if (document != nil) != isUTF8
        || isUTF8 && document?.root.string.map({ Array($0.utf8) }) != bytes
      {
        Issue.record("seed \(seed): \(bytes)")
        return
      }
    }
    #expect(accepted > 100)
  }

  private func damage(_ text: inout [UInt8], _ random: inout SeededGenerator) {
    guard !text.isEmpty else { return }
    let place = random.below(text.count)
    let end = min(text.count, place + random.below(6))
    switch random.below(7) {
    case 0: text[place] = UInt8(random.below(256))
    case 1: text[place] ^= 1 << random.below(8)
    case 2: text.remove(at: place)
    case 3: text.insert(contentsOf: text[place..<end], at: place)
    case 4: text.removeSubrange(place..<end)
    case 5: text.insert(random.pick(Array("[]{},:\"\\u0e-.1 \n/".utf8)), at: place)
    default: text.swapAt(place, random.below(text.count))
    }
  }
}
