import JSONText
import Testing

@testable import StoryLibrary

@Suite("Reading records")
struct RecordFileReadingTests {
  private static let table: ReferenceTable = {
    var table = ReferenceTable()
    table.add("heroes/luna", id: "h-luna")
    table.add("heroes/family/otto", id: "h-otto")
    table.add("heroes/new", id: nil)
    table.add("heroes/caf\u{E9}", id: "h-cafe")
    table.add("events/lost-tooth", id: "e-tooth")
    return table
  }()

  private static func sidecar(_ base: JSONObject, refs: JSONObject = [:]) -> Sidecar {
    Sidecar(
      id: "s", updatedAt: "t", base: FieldValues(kind: .stories, wire: base), refs: refs)
  }

  struct Reading: Sendable {
    var text: String
    var sidecar: Sidecar?
    var wire: JSONObject
    var refs: JSONObject = [:]
    var pending: [RecordRef] = []
    var unknown: [RecordRef] = []
    var malformed: [String] = []
    var unresolved: [String] = []
  }

  @Test(
    "wire form of stories",
    arguments: [
      NamedCase(
        "lines become one string",
        Reading(text: #"{"content": ["a", "", "b"]}"#, wire: ["content": "a\n\nb"])),
      NamedCase(
        "a plain string stays", Reading(text: #"{"content": "a\nb"}"#, wire: ["content": "a\nb"])),
      NamedCase(
        "no line is an empty text", Reading(text: #"{"content": []}"#, wire: ["content": ""])),
      NamedCase(
        "a line with a line feed counts as two",
        Reading(text: #"{"content": ["a\nb", "c"]}"#, wire: ["content": "a\nb\nc"])),
      NamedCase(
        "carriage returns stay where they are",
        Reading(text: #"{"content": ["a\r", "b"]}"#, wire: ["content": "a\r\nb"])),
      NamedCase(
        "a line that is no string spoils the text",
        Reading(text: #"{"content": ["a", 7]}"#, wire: [:], malformed: ["content"])),
      NamedCase(
        "a wrong type is malformed, not absent",
        Reading(
          text: #"{"playCount": "7", "isFavorite": 1}"#, wire: [:],
          malformed: ["playCount", "isFavorite"])),
      NamedCase(
        "a fraction is no whole number",
        Reading(text: #"{"playCount": 7.5}"#, wire: [:], malformed: ["playCount"])),
      NamedCase(
        "null of a field with a default says nothing",
        Reading(text: #"{"playCount": null, "eventType": null}"#, wire: ["eventType": nil])),
      NamedCase(
        "a name of a record with an id",
        Reading(
          text: #"{"hero": "family/otto"}"#, wire: ["heroId": "h-otto"],
          refs: ["hero": "family/otto"])),
      NamedCase(
        "a name in another Unicode form",
        Reading(
          text: "{\"hero\": \"cafe\u{301}\"}", wire: ["heroId": "h-cafe"],
          refs: ["hero": "cafe\u{301}"])),
      NamedCase(
        "a name of a record without an id",
        Reading(
          text: #"{"hero": "new"}"#, wire: [:], pending: ["heroes/new"],
          unresolved: ["hero"])),
      NamedCase(
        "a name of nothing",
        Reading(
          text: #"{"event": "lost-toth"}"#, wire: [:], unknown: ["events/lost-toth"],
          unresolved: ["event"])),
      NamedCase(
        "an id instead of a name",
        Reading(text: #"{"heroId": "h-far"}"#, wire: ["heroId": "h-far"])),
      NamedCase(
        "a reference that is no string",
        Reading(text: #"{"hero": 7}"#, wire: [:], malformed: ["hero"])),
      NamedCase(
        "null of a reference clears it",
        Reading(text: #"{"event": null}"#, wire: [:])),
      NamedCase(
        "a name that is gone keeps the id it had",
        Reading(
          text: #"{"hero": "old"}"#, sidecar: sidecar(["heroId": "h-old"], refs: ["hero": "old"]),
          wire: ["heroId": "h-old"], refs: ["hero": "old"])),
      NamedCase(
        "another name that is gone does not",
        Reading(
          text: #"{"hero": "odd"}"#, sidecar: sidecar(["heroId": "h-old"], refs: ["hero": "old"]),
          wire: [:], unknown: ["heroes/odd"], unresolved: ["hero"])),
      NamedCase(
        "a name that stands for another record by now is that record",
        Reading(
          text: #"{"hero": "luna"}"#, sidecar: sidecar(["heroId": "h-old"], refs: ["hero": "luna"]),
          wire: ["heroId": "h-luna"], refs: ["hero": "luna"])),
      NamedCase(
        "unknown members are left out",
        Reading(text: #"{"mood": 1, "title": "A", "id": "x"}"#, wire: ["title": "A"])),
    ])
  func stories(_ row: NamedCase<Reading>) throws {
    let file = try RecordFile("stories/x", row.value.text)
    let reading = file.reading(references: Self.table, sidecar: row.value.sidecar)
    #expect(reading.values.wire == row.value.wire)
    #expect(reading.refs == row.value.refs)
    #expect(reading.pending == row.value.pending)
    #expect(reading.unknown == row.value.unknown)
    #expect(reading.malformed.map(\.key) == row.value.malformed)
    #expect(reading.unresolved.map(\.key) == row.value.unresolved)
  }

  @Test("a reference to a record without an id is a change, and so is a value nobody understands")
  func changes() throws {
    let file = try RecordFile(
      "stories/x", #"{"title": "A", "hero": "luna", "event": "new", "playCount": "2"}"#)
    var table = Self.table
    table.add("events/new", id: nil)
    let base = FieldValues(kind: .stories, wire: ["title": "A", "heroId": "h-luna"])
    let reading = file.reading(references: table, sidecar: nil)
    #expect(reading.changes(from: base).map(\.key) == ["event", "playCount"])
    #expect(reading.values.changes(from: base).isEmpty)
  }

  @Test("special abilities may be one or several")
  func phrases() throws {
    let one = try RecordFile("heroes/x", #"{"specialAbility": "sings"}"#)
    let several = try RecordFile("heroes/x", #"{"specialAbility": ["sings", "dances"]}"#)
    let table = ReferenceTable()
    #expect(one.reading(references: table, sidecar: nil).values.wire == ["specialAbility": "sings"])
    #expect(
      several.reading(references: table, sidecar: nil).values.wire
        == ["specialAbility": ["sings", "dances"]])
  }
}
