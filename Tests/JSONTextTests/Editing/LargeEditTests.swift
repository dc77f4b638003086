import JSONText
import TestSupport
import Testing

/// Edits of large arrays and objects, which must not take quadratic time.
@Suite("Edits of large texts")
struct LargeEditTests {
  private func lines(_ count: Int) -> [JSONValue] {
    (0..<count).map { .string("line \($0)") }
  }

  private func document(_ lines: [JSONValue]) throws -> JSONDocument {
    // Escapes show which bytes were kept.
    let text = lines.map { "  " + $0.compactText.replacing("line", with: "l\\u0069ne") }
    return try JSONDocument(parsing: "{\"c\": [\n" + text.joined(separator: ",\n") + "\n]}")
  }

  private func keptCount(_ document: JSONDocument) -> Int {
    document.root["c"]?.elements.count { document.bytes[$0.range].contains(0x5C) } ?? 0
  }

  @Test("keep all other elements where changes lie far apart")
  func farApart() throws {
    let old = lines(10_000)
    var new = old
    new[5] = "first"
    new.insert("middle", at: 5000)
    new.remove(at: 9990)
    let result = try document(old).setting([("c", .array(new))])
    #expect((result.root["c"]?.value == .array(new)) == true)
    #expect(keptCount(result) == 9998)
  }

  @Test("keep repeated elements around changes")
  func repeated() throws {
    let old: [JSONValue] = (0..<3000).map { .string($0 % 2 == 0 ? "line" : "line \($0)") }
    var new = old
    new[1] = "first"
    new[1001] = "second"
    new[2999] = "last"
    let result = try document(old).setting([("c", .array(new))])
    #expect((result.root["c"]?.value == .array(new)) == true)
    #expect(keptCount(result) == 2997)
  }

  @Test("take short time where nothing stays, or all is turned round")
  func allChanged() throws {
    let old = lines(10_000)
    let other: [JSONValue] = (0..<10_000).map { .string("other \($0)") }
    let time = try timeOfWork {
      for new in [other, old.reversed(), old + old, Array(old.prefix(3000)) + other] {
        let result = try document(old).setting([("c", .array(new))])
        #expect((result.root["c"]?.value == .array(new)) == true)
      }
    }
    // Quadratic time would be minutes.
    #expect(time < .seconds(20))
  }

  @Test("set many members at once")
  func manyMembers() throws {
    let members = (0..<2000).map { (key: "k\($0)", value: JSONValue.number(JSONNumber($0))) }
    let document = try JSONDocument(parsing: JSONValue.object(JSONObject(members)).fileBytes())
    let changes = members.enumerated().map { place, member in
      (
        key: place % 3 == 0 ? "n\(place)" : member.key,
        value: place % 5 == 0 ? Optional.none : JSONValue.null
      )
    }
    var expected = JSONObject(members)
    for (name, value) in changes { expected[name] = value }
    let result = try document.setting(changes)
    #expect((result.root.value == .object(expected)) == true)
  }
}
