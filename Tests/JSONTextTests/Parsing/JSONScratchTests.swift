import JSONText
import Testing

/// Texts that are parsed one after the other in the same memory.
@Suite("Texts in the same memory")
struct JSONScratchTests {
  private func fill(_ scratch: inout JSONScratch, _ text: [UInt8], room: Int = 0) {
    scratch.fill(text.count + room) { buffer in
      for (place, byte) in text.enumerated() { buffer[place] = byte }
      return text.count
    }
  }

  @Test("are what they are by themselves, whatever came before", arguments: [31 as UInt64, 32])
  func sameAsDocuments(seed: UInt64) throws {
    print("texts in the same memory, seed \(seed)")
    var generator = TextGenerator(seed: seed)
    var scratch = JSONScratch()
    var refused = 0
    for round in 0..<2_000 {
      var text = generator.text(of: generator.value(depth: 4), style: generator.style())
      if generator.random.oneIn(3) { text = Array(text.dropLast(1 + generator.random.below(3))) }
      if generator.random.oneIn(40) { text = Array("[\(text.count)".utf8) + text + text }
      fill(&scratch, text, room: generator.random.below(3))
      let document = try? JSONDocument(parsing: text)
      let isJSON = scratch.parse()
      if !isJSON { refused += 1 }
      let bytes = scratch.withText { Array($0) }
      let found = scratch.document()
      let root = scratch.withView { Array($0.bytes) }
      guard isJSON == (document != nil), bytes == text, found?.bytes == document?.bytes,
        found?.root.value == document?.root.value, root == document?.withView({ Array($0.bytes) })
      else {
        Issue.record("seed \(seed), round \(round): \(String(decoding: text, as: UTF8.self))")
        return
      }
    }
    #expect(refused > 100)
  }

  /// What a scratch says of its text: whether it is JSON, the value, and that of its view.
  private func answers(_ scratch: inout JSONScratch, parses: Bool = true) -> [String] {
    let isJSON = parses && scratch.parse()
    return [
      "\(isJSON)", scratch.document()?.root.value.compactText ?? "none",
      scratch.withView { String(decoding: $0.bytes, as: UTF8.self) } ?? "none",
    ]
  }

  @Test("give nothing of the text before where they are not parsed, or no JSON")
  func nothingLeft() {
    let nothing = ["false", "none", "none"]
    var scratch = JSONScratch()
    #expect(answers(&scratch) == nothing)
    fill(&scratch, Array("{\"a\":1}".utf8))
    #expect(answers(&scratch, parses: false) == nothing)
    #expect(answers(&scratch) == ["true", "{\"a\":1}", "{\"a\":1}"])
    #expect(answers(&scratch) == ["true", "{\"a\":1}", "{\"a\":1}"])
    fill(&scratch, Array("[2]".utf8))
    #expect(answers(&scratch, parses: false) == nothing)
    fill(&scratch, Array("[2".utf8))
    #expect(answers(&scratch) == nothing)
    fill(&scratch, [])
    #expect(answers(&scratch) == nothing)
  }

  @Test("may be longer than any before, and have fewer bytes than there is room")
  func sizes() {
    var scratch = JSONScratch()
    for size in [1, 100_000, 3, 300_000, 16_384, 16_385] {
      let text = String(repeating: "7", count: size)
      fill(&scratch, Array(text.utf8), room: 1)
      #expect(answers(&scratch) == ["true", text, text])
    }
  }
}
