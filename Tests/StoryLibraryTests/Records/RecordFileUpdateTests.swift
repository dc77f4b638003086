import JSONText
import Testing

@testable import StoryLibrary

@Suite("Updating records in place")
struct RecordFileUpdateTests {
  private static let table: ReferenceTable = {
    var table = ReferenceTable()
    table.add("heroes/luna", id: "h-luna")
    table.add("heroes/otto", id: "h-otto")
    table.add("events/lost-tooth", id: "e-tooth")
    return table
  }()

  struct Update: Sendable {
    var ref: RecordRef = "stories/x"
    var text: String
    /// The new values by wire key, over those that the file has.
    var target: JSONObject
    var base: JSONObject?
    var kept: [String] = []
    var expected: String
  }

  @Test(
    "only values that change",
    arguments: [
      NamedCase(
        "one value in a hand-made layout",
        Update(
          ref: "heroes/x",
          text:
            "\u{FEFF}{\r\n    \"age\": 7.0,\r\n    \"mood\" : {\"a\":1e3},\r\n\t\"name\":\"Lun\\u0061\"\r\n}",
          target: ["name": "Mond"],
          expected:
            "\u{FEFF}{\r\n    \"age\": 7.0,\r\n    \"mood\" : {\"a\":1e3},\r\n\t\"name\":\"Mond\"\r\n}"
        )),
      NamedCase(
        "nothing", Update(text: "{ \"title\":\"A\" }", target: [:], expected: "{ \"title\":\"A\" }")
      ),
      NamedCase(
        "an equal number keeps its literal",
        Update(
          text: #"{"playCount": 7.0}"#, target: ["playCount": 7], expected: #"{"playCount": 7.0}"#)),
      NamedCase(
        "lines stay lines, and those that are equal keep their escapes",
        Update(
          text: "{\n  \"content\": [\n    \"a\\u0062\",\n    \"c\",\n    \"d\\/\"\n  ]\n}\n",
          target: ["content": "ab\nx\ny\nd/"],
          expected:
            "{\n  \"content\": [\n    \"a\\u0062\",\n    \"x\",\n    \"y\",\n    \"d\\/\"\n  ]\n}\n"
        )),
      NamedCase(
        "lines that hold line feeds keep them where the text is the same",
        Update(
          text: "{\n  \"content\": [\n    \"a\\nb\",\n    \"c\",\n    \"d\\ne\"\n  ]\n}\n",
          target: ["content": "a\nb\nx\nd\ne"],
          expected: "{\n  \"content\": [\n    \"a\\nb\",\n    \"x\",\n    \"d\\ne\"\n  ]\n}\n")),
      NamedCase(
        "a plain string stays one",
        Update(
          text: #"{"content": "a\nb"}"#, target: ["content": "a\nc"],
          expected: #"{"content": "a\nc"}"#)),
      NamedCase(
        "text with carriage returns",
        Update(
          text: #"{"content": ["a\r", "b"]}"#, target: ["content": "a\r\nc"],
          expected: #"{"content": ["a\r", "c"]}"#)),
      NamedCase(
        "a new text is written as lines",
        Update(
          text: "{\n  \"title\": \"A\"\n}\n", target: ["content": "a\n\nb"],
          expected:
            "{\n  \"title\": \"A\",\n  \"content\": [\n    \"a\",\n    \"\",\n    \"b\"\n  ]\n}\n")),
      NamedCase(
        "an optional value that goes takes its member along",
        Update(
          text: "{\n  \"title\": \"A\",\n  \"eventType\": \"bedtime\"\n}\n",
          target: ["eventType": nil],
          expected: "{\n  \"title\": \"A\"\n}\n")),
      NamedCase(
        "a null stays a null",
        Update(
          text: #"{"title": "A", "eventType": null}"#, target: ["title": "B", "eventType": nil],
          expected: #"{"title": "B", "eventType": null}"#)),
      NamedCase(
        "a null gets its value in place",
        Update(
          text: #"{"eventType": null, "title": "A"}"#, target: ["eventType": "bedtime"],
          expected: #"{"eventType": "bedtime", "title": "A"}"#)),
      NamedCase(
        "a default is not added",
        Update(
          text: #"{"title": "A"}"#,
          target: ["language": "en", "playCount": 0, "isFavorite": false],
          base: ["title": "A", "language": "fr", "playCount": 3, "isFavorite": true],
          expected: #"{"title": "A"}"#)),
      NamedCase(
        "a value that is no default is added in the schema's place",
        Update(
          text: #"{"title": "A", "playCount": 1}"#, target: ["language": "fr"],
          expected: #"{"title": "A", "language": "fr", "playCount": 1}"#)),
      NamedCase(
        "what an absent member stood for in the base is not added",
        Update(
          text: #"{"title": "A"}"#, target: ["title": "B", "language": "fr"],
          base: ["title": "A", "language": "fr"], expected: #"{"title": "B"}"#)),
      NamedCase(
        "a default that is written goes back to the default in place",
        Update(text: #"{"playCount": 5}"#, target: ["playCount": 0], expected: #"{"playCount": 0}"#)
      ),
      NamedCase(
        "a name becomes another name",
        Update(
          text: #"{"hero": "luna"}"#, target: ["heroId": "h-otto"], expected: #"{"hero": "otto"}"#)),
      NamedCase(
        "a name becomes an id where no record here has it",
        Update(
          text: #"{"title": "A", "hero": "luna", "playCount": 1}"#, target: ["heroId": "h-far"],
          expected: #"{"title": "A", "heroId": "h-far", "playCount": 1}"#)),
      NamedCase(
        "an id becomes a name where one has it",
        Update(
          text: #"{"title": "A", "heroId": "h-far"}"#, target: ["heroId": "h-otto"],
          expected: #"{"title": "A", "hero": "otto"}"#)),
      NamedCase(
        "an id that means the same stays an id",
        Update(
          text: #"{"heroId": "h-luna"}"#, target: ["title": "A"],
          expected: #"{"title": "A", "heroId": "h-luna"}"#)),
      NamedCase(
        "a null beside a name stays",
        Update(
          text: #"{"heroId": null, "hero": "luna"}"#, target: ["heroId": "h-otto"],
          expected: #"{"heroId": null, "hero": "otto"}"#)),
      NamedCase(
        "a value that nobody understands is not overwritten",
        Update(
          text: #"{"title": "A", "playCount": "seven"}"#, target: ["title": "B", "playCount": 7],
          expected: #"{"title": "B", "playCount": "seven"}"#)),
      NamedCase(
        "a name of nothing stays where the target says nothing",
        Update(
          text: #"{"title": "A", "event": "odd"}"#, target: ["title": "B"],
          expected: #"{"title": "B", "event": "odd"}"#)),
      NamedCase(
        "fields that are kept stay whatever they say",
        Update(
          text: #"{"title": "A", "playCount": 1}"#, target: ["title": "B", "playCount": 2],
          kept: ["title"], expected: #"{"title": "A", "playCount": 2}"#)),
      NamedCase(
        "a list keeps the layout of its lines",
        Update(
          ref: "heroes/x", text: "{\"traits\": [\n  \"a\",\n  \"b\"\n]}",
          target: ["traits": ["a", "c", "b"]],
          expected: "{\"traits\": [\n  \"a\",\n  \"c\",\n  \"b\"\n]}")),
      NamedCase(
        "one ability becomes several",
        Update(
          ref: "heroes/x", text: #"{"specialAbility": "sings"}"#,
          target: ["specialAbility": ["sings", "dances"]],
          expected: #"{"specialAbility": ["sings", "dances"]}"#)),
    ])
  func update(_ row: NamedCase<Update>) throws {
    let file = try RecordFile(row.value.ref, row.value.text)
    let kind = row.value.ref.kind
    let sidecar = row.value.base.map {
      Sidecar(id: "x", updatedAt: "t", base: FieldValues(kind: kind, wire: $0))
    }
    var target = file.reading(references: Self.table, sidecar: sidecar).values
    for member in row.value.target.members {
      guard let index = kind.schema.fieldIndex(wireKey: member.key) else { continue }
      target[kind.schema.fields[index]] = member.value
    }
    let kept = row.value.kept.map(kind.field)
    let updated = try file.updated(
      to: target, keeping: kept, references: Self.table, sidecar: sidecar)
    #expect(updated.bytes.text == row.value.expected)
    let again = try RecordFile(ref: row.value.ref, bytes: updated.bytes)
      .updated(to: target, keeping: kept, references: Self.table, sidecar: sidecar)
    #expect(again.bytes == updated.bytes)
  }

  @Test("a new file has canonical form, names and no defaults")
  func newFile() throws {
    let values = FieldValues(
      kind: .stories,
      wire: [
        "playCount": 2, "title": "Über/alles \u{1F319}", "heroId": "h-luna",
        "customEventId": "e-far", "language": "en", "content": "One\r\n\nTwo", "isFavorite": false,
      ])
    let bytes = RecordFile.newFile(values, references: Self.table)
    #expect(
      bytes.text == """
        {
          "title": "Über/alles \u{1F319}",
          "hero": "luna",
          "customEventId": "e-far",
          "content": [
            "One\\r",
            "",
            "Two"
          ],
          "playCount": 2
        }

        """)
    let file = try RecordFile(ref: "stories/x", bytes: bytes)
    #expect(file.reading(references: Self.table, sidecar: nil).values == values)
    #expect(file.canonicalBytes == bytes)
  }

  @Test("a new file of a hero keeps short lists on a line and breaks long ones")
  func newHero() {
    let values = FieldValues(
      kind: .heroes,
      wire: [
        "traits": ["brave", "curious"], "age": 7, "name": "Luna", "height": nil,
        "specialAbility": ["speaks with every star that can be seen", "and with most that cannot"],
      ])
    #expect(
      RecordFile.newFile(values, references: ReferenceTable()).text == """
        {
          "name": "Luna",
          "age": 7,
          "traits": ["brave", "curious"],
          "specialAbility": [
            "speaks with every star that can be seen",
            "and with most that cannot"
          ]
        }

        """)
  }

  @Test("canonical form orders members, keeps unknown ones behind them, literals and strings")
  func canonical() throws {
    let file = try RecordFile(
      "stories/x",
      "\u{FEFF}{\"note\":{\"b\":1.0,\"a\":[]},\r\n\"content\":\"a\\nb\",\"hero\":\"\\u006cuna\",\"title\":\"\\/\"}"
    )
    #expect(
      file.canonicalBytes.text == """
        {
          "title": "/",
          "hero": "luna",
          "content": "a\\nb",
          "note": {
            "b": 1.0,
            "a": []
          }
        }

        """)
    let again = try RecordFile(ref: file.ref, bytes: file.canonicalBytes)
    #expect(again.canonicalBytes == file.canonicalBytes)
  }

  @Test("a long text with something else among its lines is not the same")
  func brokenLines() {
    for (old, isKept) in [(["a", "b"] as JSONValue, true), (["a", 5, "b"], false), ("a", false)] {
      #expect((RecordFile.longText("a\nb", like: old) == old) == isKept)
    }
    #expect(RecordFile.longText("a\nb", like: ["a", 5, "b"]) == ["a", "b"])
  }

  @Test("a reference to a record that was renamed is outdated")
  func renamedReference() throws {
    var table = Self.table
    table.remove("heroes/luna")
    table.add("heroes/family/luna", id: "h-luna")
    table.addAlias("heroes/luna", for: "heroes/family/luna")
    let file = try RecordFile(
      "stories/x", #"{"title": "A", "hero": "luna", "event": "lost-tooth"}"#)
    let reading = file.reading(references: table, sidecar: nil)
    #expect(reading.values.wire["heroId"] == "h-luna")
    #expect(reading.outdated.map(\.key) == ["hero"])
  }

  @Test("a name that only the sidecar remembers is outdated where its record has another by now")
  func outdatedBySidecar() throws {
    let file = try RecordFile("stories/x", #"{"hero": "moon"}"#)
    let sidecar = Sidecar(
      id: "s", updatedAt: "t", base: FieldValues(kind: .stories, wire: ["heroId": "h-luna"]),
      refs: ["hero": "moon"])
    #expect(
      file.reading(references: Self.table, sidecar: sidecar).outdated.map(\.key) == ["hero"])
    let gone = ReferenceTable()
    #expect(file.reading(references: gone, sidecar: sidecar).outdated.isEmpty)
  }
}
