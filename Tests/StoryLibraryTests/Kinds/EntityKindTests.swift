import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@Suite("The table of kinds")
struct EntityKindTests {
  @Test("kinds by the words for them", arguments: EntityKind.allCases)
  func names(_ kind: EntityKind) {
    #expect(EntityKind(named: kind.folder) == kind)
    #expect(EntityKind(named: kind.schema.noun) == kind)
    #expect(EntityKind(named: kind.schema.noun.uppercased()) == nil)
  }

  @Test("what is named is created before what names it")
  func order() {
    #expect(EntityKind.writable == [.heroes, .events, .stories])
    for kind in EntityKind.allCases {
      for target in kind.schema.fields.compactMap(\.referencedKind) {
        #expect(target < kind)
      }
    }
    #expect(EntityKind.allCases.sorted() == EntityKind.allCases)
  }

  @Test("every row is sound", arguments: EntityKind.allCases)
  func rows(_ kind: EntityKind) {
    let schema = kind.schema
    #expect(Set(schema.keyOrder).count == schema.keyOrder.count)
    #expect(Set(schema.fields.map(\.wireKey)).count == schema.fields.count)
    #expect(schema.fields.count <= 32, "a FieldSet holds 32")
    if !schema.isReadOnly { #expect(schema.fieldIndex(key: schema.titleKey) != nil) }
    for (place, field) in schema.fields.enumerated() {
      #expect(field.keys.allSatisfy { schema.fieldIndex(key: $0) == place })
      #expect(schema.fieldIndex(wireKey: field.wireKey) == place)
      #expect(field.shape.admitsOnWire(field.absentValue))
      #expect(field.isRequired ? field.defaultValue == nil : true)
      #expect((field.shape == .lines) == schema.brokenArrays.contains(field.key))
    }
    #expect(schema.fieldIndex(key: "id") == nil)
    #expect(schema.fieldIndex(key: "updatedAt") == nil)
  }

  @Test(
    "the fields of a file, as the wire has them",
    arguments: [
      (
        EntityKind.heroes,
        "name age traits specialAbility appearance hairColor eyeColor skinTone height"
      ),
      (.stories, "title heroId customEventId eventType language content isFavorite playCount"),
      (.events, "title description promptSeed category ageRange tone keywords isFavorite"),
      (
        .illustrations,
        "sceneDescription displayOrder generationStatus audioTimestamp audioDuration"
      ),
    ])
  func owned(_ kind: EntityKind, _ keys: String) {
    #expect(kind.schema.fields.map(\.wireKey) == keys.split(separator: " ").map(String.init))
  }

  @Test("defaults, as a server fills them in")
  func defaults() {
    let defaults = EntityKind.allCases.flatMap(\.schema.fields).filter { $0.defaultValue != nil }
    #expect(
      defaults.map { "\($0.wireKey)=\($0.absentValue)" } == [
        "category=\"general\"", "tone=\"cheerful\"", "keywords=[]", "isFavorite=false",
        "language=\"en\"", "isFavorite=false", "playCount=0",
      ])
  }

  @Test(
    "who wins, and how changes come together",
    arguments: [
      (EntityKind.heroes, "name", Strategy.server, MergeRule.scalar),
      (.heroes, "traits", .server, .set), (.stories, "title", .ask, .scalar),
      (.stories, "content", .ask, .lines), (.stories, "playCount", .merge, .counter),
      (.stories, "isFavorite", .merge, .flag), (.events, "promptSeed", .local, .scalar),
      (.events, "keywords", .local, .set),
    ])
  func policies(_ kind: EntityKind, _ key: String, _ strategy: Strategy, _ merge: MergeRule) {
    #expect(kind.field(key).strategy == strategy)
    #expect(kind.field(key).merge == merge)
  }

  @Test("a deleted hero comes back, an event goes, a story waits for a person")
  func deletes() {
    #expect(EntityKind.writable.map(\.schema.deletedLocally) == [.server, .local, .ask])
  }

  @Test(
    "what a server may send",
    arguments: [
      ("age", 7, true), ("age", "7", false),
      ("name", "x", true), ("name", nil, true), ("name", 7, false), ("traits", ["a"], true),
      ("traits", ["a", 1], false), ("traits", "a", false), ("specialAbility", "a", true),
      ("specialAbility", ["a", "b"], true), ("specialAbility", [nil], false),
    ] as [(String, JSONValue, Bool)])
  func wire(_ key: String, _ value: JSONValue, _ isFine: Bool) {
    let shape = EntityKind.heroes.field(key).shape
    #expect(shape.admitsOnWire(value) == isFine)
  }
}
