import JSONText
import TestSupport
import Testing

/// Edits of generated objects: the value is the expected one, and the text changes in one place.
@Suite("Edits of generated texts")
struct EditPropertyTests {
  private static let rounds = 500

  /// The text of an object, and its members.
  private struct Sample {
    var object: JSONObject
    var document: JSONDocument
    var style: TextGenerator.Style
  }

  private func sample(_ generator: inout TextGenerator, count: Int) throws -> Sample {
    let object = generator.object(depth: 2, count: count)
    let style = generator.style()
    let text = generator.text(of: .object(object), style: style, keepsOrder: true)
    return Sample(object: object, document: try JSONDocument(parsing: text), style: style)
  }

  @Test("an equal value changes nothing")
  func equalValues() throws {
    try repeated(seed: 11) { generator in
      let sample = try sample(&generator, count: generator.random.below(6))
      let changes = sample.object.members.map { member in
        // The same value by way of another text, with other literals and orders.
        let text = generator.text(of: member.value, style: generator.style())
        return (key: member.key, value: (try? JSONValue(parsing: text)) as JSONValue?)
      }
      let result = try sample.document.setting(changes + [(key: "not there", value: nil)])
      return result.bytes == sample.document.bytes
    }
  }

  @Test("a replaced value leaves all bytes in front of it and behind it")
  func replacement() throws {
    try repeated(seed: 12) { generator in
      let sample = try sample(&generator, count: 1 + generator.random.below(5))
      let name = generator.random.pick(sample.object.keys)
      let new = generator.mutation(of: sample.object[name] ?? .null)
      let result = try sample.document.setting([(name, new)])
      var expected = sample.object
      expected[name] = new
      guard let old = sample.document.root[name]?.range, let now = result.root[name]?.range
      else { return false }
      return result.root.value == .object(expected)
        && result.root.members.map(\.name) == sample.object.keys
        && result.bytes[..<now.lowerBound] == sample.document.bytes[..<old.lowerBound]
        && result.bytes[now.upperBound...] == sample.document.bytes[old.upperBound...]
    }
  }

  @Test("a removed member takes one stretch of bytes along")
  func removal() throws {
    try repeated(seed: 13) { generator in
      let sample = try sample(&generator, count: 2 + generator.random.below(4))
      guard sample.object.count > 1 else { return true }
      let name = generator.random.pick(sample.object.keys)
      let result = try sample.document.setting([(name, nil)])
      var expected = sample.object
      expected[name] = Optional.none
      return result.root.value == .object(expected)
        && keepsOthers(of: sample.document, in: result, but: [name])
        && isOneStretchLess(result.bytes, than: sample.document.bytes)
        && keepsLineEnds(sample, in: result)
    }
  }

  @Test("a new member is one stretch of bytes more, in the place that the order gives it")
  func insertion() throws {
    try repeated(seed: 14) { generator in
      let sample = try sample(&generator, count: 1 + generator.random.below(5))
      guard sample.object["new"] == nil, !sample.object.isEmpty else { return true }
      let value = generator.value(depth: 2)
      let neighbour = generator.random.below(sample.object.count)
      let isBehind = generator.random.oneIn(2)
      let name = sample.object.keys[neighbour]
      let order = isBehind ? [name, "new"] : ["new", name]
      let result = try sample.document.setting([("new", value)], order: order)
      let names = result.root.members.map(\.name)
      return result.root["new"]?.value == value
        && names.firstIndex(of: "new") == neighbour + (isBehind ? 1 : 0)
        && keepsOthers(of: sample.document, in: result, but: ["new"])
        && isOneStretchLess(sample.document.bytes, than: result.bytes)
        && keepsLineEnds(sample, in: result)
        && isLaidOut(result, as: sample.style)
    }
  }

  @Test("many changes at once have the expected value and leave the other members alone")
  func manyChanges() throws {
    try repeated(seed: 15) { generator in
      let sample = try sample(&generator, count: generator.random.below(7))
      var expected = sample.object
      var changes: [(key: String, value: JSONValue?)] = []
      for _ in 0..<generator.random.below(6) {
        let isKnown = !sample.object.isEmpty && generator.random.oneIn(2)
        let name = isKnown ? generator.random.pick(sample.object.keys) : generator.name()
        let value = generator.random.oneIn(3) ? Optional.none : generator.value(depth: 2)
        changes.append((name, value))
        expected[name] = value
      }
      let order = (0..<generator.random.below(6)).map { _ in generator.name() }
      let result = try sample.document.setting(
        changes, order: order, brokenArrays: generator.random.oneIn(3) ? ["name", "content"] : [])
      let again = try result.setting(changes, order: order)
      return result.root.value == .object(expected) && again.bytes == result.bytes
        && result.hasByteOrderMark == sample.document.hasByteOrderMark
        && keepsOthers(of: sample.document, in: result, but: changes.map(\.key))
        && keepsLineEnds(sample, in: result)
    }
  }

  @Test("an array keeps the bytes of the elements in front of the change and behind it")
  func arrays() throws {
    try repeated(seed: 16) { generator in
      let old = (0..<generator.random.below(9)).map { _ in generator.value(depth: 1) }
      var new = old
      let start = generator.random.below(old.count + 1)
      let end = start + generator.random.below(old.count - start + 1)
      let middle = (0..<generator.random.below(4)).map { _ in generator.value(depth: 1) }
      new.replaceSubrange(start..<end, with: middle)
      let text = generator.text(
        of: ["a": 1, "l": .array(old), "z": 2], style: generator.style(), keepsOrder: true)
      let document = try JSONDocument(parsing: text)
      let result = try document.setting([("l", .array(new))])
      guard result.root["l"]?.value == .array(new),
        keepsOthers(of: document, in: result, but: ["l"])
      else { return false }
      // If equal elements are written differently, either may stay.
      if Set(old + middle).count < old.count + middle.count { return true }
      let before = elementBytes(document)
      let after = elementBytes(result)
      return after.prefix(start) == before.prefix(start)
        && after.suffix(old.count - end) == before.suffix(old.count - end)
    }
  }

  @Test("an object inside others is edited like the root")
  func nested() throws {
    try repeated(seed: 17) { generator in
      let inner = generator.object(depth: 1, count: generator.random.below(4))
      let value: JSONValue = ["x": [], "base": ["é": .object(inner), "y": 1], "z": nil]
      let document = try JSONDocument(
        parsing: generator.text(of: value, style: generator.style(), keepsOrder: true))
      let new = generator.value(depth: 1)
      var expected = inner
      expected["new"] = new
      let result = try document.setting([("base", ["é": .object(expected), "y": 1])])
      guard let old = document.root["base"]?["é"]?.range,
        let now = result.root["base"]?["é"]?.range
      else { return false }
      return result.root["base"]?["é"]?.value == .object(expected)
        && result.bytes[..<now.lowerBound] == document.bytes[..<old.lowerBound]
        && result.bytes[now.upperBound...] == document.bytes[old.upperBound...]
    }
  }

  // MARK: What is checked

  private func repeated(
    seed: UInt64, _ body: (inout TextGenerator) throws -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    print("edits, seed \(seed)")
    var generator = TextGenerator(seed: seed)
    for round in 0..<Self.rounds {
      guard try body(&generator) else {
        Issue.record("seed \(seed), round \(round)", sourceLocation: sourceLocation)
        return
      }
    }
  }

  /// Whether all members but those named have their bytes and their order.
  private func keepsOthers(
    of old: JSONDocument, in new: JSONDocument, but names: [String]
  ) -> Bool {
    func others(_ document: JSONDocument) -> [[UInt8]] {
      document.root.members
        .filter { member in !names.contains { Array($0.utf8) == Array(member.name.utf8) } }
        .map { Array(document.bytes[$0.range]) }
    }
    let (oldEnd, newEnd) = (old.root.range.upperBound, new.root.range.upperBound)
    return others(old) == others(new)
      && old.bytes[oldEnd...] == new.bytes[newEnd...]
      && old.bytes[..<old.root.range.lowerBound] == new.bytes[..<new.root.range.lowerBound]
  }

  /// Whether `longer` with one stretch of bytes taken out is `shorter`.
  private func isOneStretchLess(_ shorter: [UInt8], than longer: [UInt8]) -> Bool {
    let prefix = zip(shorter, longer).prefix { $0 == $1 }.count
    let suffix = zip(shorter.reversed(), longer.reversed()).prefix { $0 == $1 }.count
    return shorter.count < longer.count && prefix + suffix >= shorter.count
  }

  /// Whether a text of one kind of line end has no other after an edit.
  private func keepsLineEnds(_ sample: Sample, in result: JSONDocument) -> Bool {
    guard sample.style != .chaos else { return true }
    func count(_ byte: UInt8) -> Int { result.bytes.count { $0 == byte } }
    return sample.document.bytes.contains(0x0D) ? count(0x0A) == count(0x0D) : count(0x0D) == 0
  }

  /// Whether each member of the root stands where the style has it.
  private func isLaidOut(_ document: JSONDocument, as style: TextGenerator.Style) -> Bool {
    document.root.members.enumerated().allSatisfy { place, member in
      let start = member.range.lowerBound
      let lead: String
      switch style {
      case .lines, .linesCRLF, .wide, .tabs: lead = style.lineEnd + (style.indent ?? "")
      case .commaFirst: lead = place == 0 ? "{ " : "\n, "
      case .compact: lead = place == 0 ? "{" : ","
      case .spaced: lead = place == 0 ? "{" : ", "
      case .padded: lead = place == 0 ? "{ " : ", "
      case .chaos: return true
      }
      return document.bytes[..<start].suffix(lead.utf8.count) == ArraySlice(lead.utf8)
    }
  }

  private func elementBytes(_ document: JSONDocument) -> [[UInt8]] {
    document.root["l"]?.elements.map { Array(document.bytes[$0.range]) } ?? []
  }
}
