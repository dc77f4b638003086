import JSONText
import TestSupport
import Testing

@Suite("Generated texts")
struct RoundTripTests {
  private static let rounds = 5_000

  @Test("keep their bytes and their value, however they are laid out", arguments: [1 as UInt64, 2])
  func roundTrip(seed: UInt64) throws {
    print("round trip, seed \(seed)")
    var generator = TextGenerator(seed: seed)
    for round in 0..<Self.rounds / 2 {
      let value = generator.value(depth: 3)
      let text = generator.text(of: value, style: generator.style())
      let other = generator.text(of: value, style: generator.style())
      let document = try JSONDocument(parsing: text)
      let parsed = document.root.value
      guard document.bytes == text, parsed == value, parsed.hashValue == value.hashValue else {
        Issue.record("seed \(seed), round \(round): \(show(text)) is not \(value)")
        return
      }
      let sibling = try JSONValue(parsing: other)
      guard sibling == parsed, sibling.hashValue == parsed.hashValue else {
        Issue.record("seed \(seed), round \(round): \(show(text)) is not equal to \(show(other))")
        return
      }
      for written in [parsed.compactBytes, parsed.fileBytes(), document.formatted()] {
        guard try JSONValue(parsing: written) == value else {
          Issue.record("seed \(seed), round \(round): \(show(text)) became \(show(written))")
          return
        }
      }
      let order = (0..<generator.random.below(4)).map { _ in generator.name() }
      guard document.formatted() == parsed.fileBytes(),
        document.formatted(order: order) == sorted(parsed, by: order).fileBytes()
      else {
        Issue.record("seed \(seed), round \(round): \(show(text)) is written otherwise as values")
        return
      }
      let formatted = document.formatted()
      guard try JSONDocument(parsing: formatted).formatted() == formatted else {
        Issue.record("seed \(seed), round \(round): \(show(formatted)) is formatted again")
        return
      }
      let mutation = generator.mutation(of: value)
      guard mutation != value, try JSONValue(parsing: mutation.compactBytes) != parsed else {
        Issue.record("seed \(seed), round \(round): \(mutation) is taken for \(value)")
        return
      }
    }
  }

  @Test("read the same through nodes as through the value")
  func nodes() throws {
    let seed: UInt64 = 3
    print("nodes, seed \(seed)")
    var generator = TextGenerator(seed: seed)
    for _ in 0..<1000 {
      let value = generator.value(depth: 3)
      let document = try JSONDocument(
        parsing: generator.text(of: value, style: generator.style(), keepsOrder: true))
      #expect(check(document.root, against: value))
    }
  }

  /// The value with its members that `order` names in front.
  private func sorted(_ value: JSONValue, by order: [String]) -> JSONValue {
    guard case .object(let object) = value else { return value }
    var sorted = JSONObject()
    for name in order + object.keys { object[name].map { sorted[name] = $0 } }
    return .object(sorted)
  }

  /// Whether a node tells the same as `value`, at every depth.
  private func check(_ node: JSONNode, against value: JSONValue) -> Bool {
    // What a node spans is a text of its own with the same value.
    guard (try? JSONValue(parsing: Array(node.document.bytes[node.range]))) == value else {
      return false
    }
    switch value {
    case .null: return node.kind == .null
    case .bool(let bool): return node.kind == (bool ? .true : .false)
    case .number(let number): return node.number == number
    case .string(let string): return node.string.map { Array($0.utf8) } == Array(string.utf8)
    case .array(let elements):
      return node.kind == .array && node.elements.count == elements.count
        && zip(node.elements, elements).allSatisfy { check($0, against: $1) }
    case .object(let object):
      return node.kind == .object && node.members.count == object.count
        && zip(node.members, object.members).allSatisfy { member, expected in
          Array(member.name.utf8) == Array(expected.key.utf8)
            && check(member.value, against: expected.value)
            && node.member(expected.key)?.range == member.range
        }
    }
  }
}

/// A text for a message.
func show(_ bytes: [UInt8]) -> String {
  JSONValue.string(String(decoding: bytes, as: UTF8.self)).compactText
}
