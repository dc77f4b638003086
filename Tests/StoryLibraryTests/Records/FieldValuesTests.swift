import JSONText
import Testing

@testable import StoryLibrary

@Suite("Field values")
struct FieldValuesTests {
  struct Comparison: Sendable {
    var kind = EntityKind.stories
    var local: JSONObject
    var base: JSONObject
    var changes: [String]
    /// Whether both mean the same as they stand.
    var isEqual: Bool
  }

  @Test(
    "what absence means",
    arguments: [
      NamedCase(
        "an optional field that is absent equals null",
        Comparison(
          local: ["title": "A"], base: ["title": "A", "eventType": nil], changes: [],
          isEqual: true)),
      NamedCase(
        "removing an optional field clears it",
        Comparison(
          local: ["title": "A"], base: ["title": "A", "eventType": "bedtime"],
          changes: ["eventType"], isEqual: false)),
      NamedCase(
        "a null optional field clears it too",
        Comparison(
          local: ["title": "A", "eventType": nil], base: ["title": "A", "eventType": "bedtime"],
          changes: ["eventType"], isEqual: false)),
      NamedCase(
        "a field with a default that is absent says nothing",
        Comparison(
          local: ["title": "A"],
          base: ["title": "A", "language": "fr", "playCount": 4, "isFavorite": true], changes: [],
          isEqual: false)),
      NamedCase(
        "a field with a default that is absent equals the default",
        Comparison(
          local: ["title": "A"],
          base: ["title": "A", "language": "en", "playCount": 0, "isFavorite": false], changes: [],
          isEqual: true)),
      NamedCase(
        "a default that is written is an opinion",
        Comparison(
          local: ["playCount": 0, "language": "en"], base: ["playCount": 4, "language": "fr"],
          changes: ["language", "playCount"], isEqual: false)),
      NamedCase(
        "a base without the field holds its default",
        Comparison(local: ["playCount": 0], base: [:], changes: [], isEqual: true)),
      NamedCase(
        "the default of keywords is an empty list",
        Comparison(
          kind: .events, local: ["keywords": [], "tone": "cheerful"], base: ["category": "general"],
          changes: [], isEqual: true)),
      NamedCase(
        "numbers are compared by value",
        Comparison(
          local: ["playCount": .number(JSONNumber(literal: "1e1") ?? JSONNumber(0))],
          base: ["playCount": 10], changes: [], isEqual: true)),
      NamedCase(
        "strings are compared by scalars",
        Comparison(
          local: ["title": "e\u{301}"], base: ["title": "\u{E9}"], changes: ["title"],
          isEqual: false)),
      NamedCase(
        "the order of a list counts, for comparing",
        Comparison(
          kind: .heroes, local: ["traits": ["b", "a"]], base: ["traits": ["a", "b"]],
          changes: ["traits"], isEqual: false)),
      NamedCase(
        "a required field that is absent is a change",
        Comparison(
          kind: .heroes, local: ["age": 7], base: ["name": "Luna", "age": 7], changes: ["name"],
          isEqual: false)),
      NamedCase(
        "members that are no fields do not count",
        Comparison(
          local: ["title": "A", "mood": "odd", "id": "x"], base: ["title": "A"], changes: [],
          isEqual: true)),
    ])
  func absence(_ row: NamedCase<Comparison>) {
    let local = FieldValues(kind: row.value.kind, wire: row.value.local)
    let base = FieldValues(kind: row.value.kind, wire: row.value.base)
    #expect(local.changes(from: base).map(\.key) == row.value.changes)
    #expect((local == base) == row.value.isEqual)
    if row.value.isEqual { #expect(local.hashValue == base.hashValue) }
  }

  @Test("completing takes only fields with a default, and only where they are absent")
  func completing() {
    let base = FieldValues(
      kind: .stories,
      wire: ["title": "A", "eventType": "bedtime", "language": "fr", "playCount": 4])
    let local = FieldValues(kind: .stories, wire: ["title": "B", "playCount": 5])
    #expect(
      local.completed(from: base).wire == ["title": "B", "language": "fr", "playCount": 5])
  }

  @Test("the wire form has schema order and only what is present")
  func wireForm() {
    let values = FieldValues(
      kind: .heroes, wire: ["traits": ["a"], "id": "x", "age": 7, "height": nil, "name": "Luna"])
    #expect(values.wire.keys == ["name", "age", "traits", "height"])
    #expect(values.title == "Luna")
    #expect(values[EntityKind.heroes.field("height")] == .some(.null))
    #expect(values[EntityKind.heroes.field("eyeColor")] == nil)
  }

  @Test("values of different kinds are never equal")
  func kinds() {
    #expect(FieldValues(kind: .heroes) != FieldValues(kind: .events))
  }
}
