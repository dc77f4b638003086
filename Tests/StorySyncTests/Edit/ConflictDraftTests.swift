import JSONText
import StoryLibrary
import Testing

@testable import StorySync

@Suite struct ConflictDraftTests {
  private static let story = RecordRef(kind: .stories, name: "snow")
  private static let hero = RecordRef(kind: .heroes, name: "luna")

  private func field(
    _ key: String, of kind: EntityKind = .stories, _ base: JSONValue, _ local: JSONValue,
    _ server: JSONValue
  ) throws -> FieldVersions {
    let index = try #require(kind.schema.fieldIndex(key: key))
    return FieldVersions(
      field: kind.schema.fields[index], base: base, local: local, server: server)
  }

  private var references: ReferenceTable {
    var table = ReferenceTable()
    table.add(Self.hero, id: "h1")
    table.add(RecordRef(kind: .heroes, name: "new"), id: nil)
    return table
  }

  private func draft(_ fields: FieldVersions...) -> ConflictDraft {
    ConflictDraft(Self.story, fields, references: references)
  }

  @Test func showsTheVersionsBetweenMarkers() throws {
    let text = draft(try field("title", "Snow", "My Snow", "Their Snow")).text
    let parts = text.components(before: "@@ title @@\n")
    #expect(
      parts.after == """
        <<<<<<< local
        My Snow
        ||||||| base
        Snow
        =======
        Their Snow
        >>>>>>> server

        @@ end @@

        """)
    #expect(parts.before.split(separator: "\n").allSatisfy { $0.hasPrefix("#") })
  }

  @Test func marksOnlyTheLinesOfATextThatClash() throws {
    let text = draft(try field("content", "a\nb\nc\nd", "a\nMINE\nc\nd", "a\nTHEIRS\nc\nD")).text
    #expect(
      text.components(before: "@@ content @@\n").after.hasPrefix(
        """
        a
        <<<<<<< local
        MINE
        ||||||| base
        b
        =======
        THEIRS
        >>>>>>> server
        c
        D

        @@ end @@
        """))
  }

  @Test func aDraftThatIsNotTouchedSettlesNothing() throws {
    let draft = draft(
      try field("title", "Snow", "My Snow", "Their Snow"),
      try field("content", "a", "b", "c"), try field("playCount", 1, 2, 3))
    let reading = draft.reading(draft.text)
    #expect(reading.values.isEmpty)
    #expect(reading.open == ["title", "content", "playCount"])
    #expect(reading.problems.isEmpty)
  }

  @Test func whatIsLeftAloneStaysOpen() throws {
    let draft = draft(
      try field("title", "Snow", "My Snow", "Their Snow"), try field("content", "a", "b", "c"))
    let reading = draft.reading("@@ title @@\nOur Snow\n\n@@ content @@\n=======\nb\n@@ end @@\n")
    #expect(reading.values == ["title": "Our Snow"])
    #expect(reading.open == ["content"])
    #expect(draft.reading("").open == ["title", "content"])
  }

  @Test(
    arguments: [
      ("a line", "a line\n", JSONValue.string("a line")),
      ("several lines with an empty one at the end", "one\n\ntwo\n\n", "one\n\ntwo\n"),
      ("lines that look like comments", "# one\n@@ two @@\n", "# one\n@@ two @@"),
    ])
  func readsTextExactly(name: String, body: String, expected: JSONValue) throws {
    let draft = draft(try field("content", "a", "b", "c"))
    let reading = draft.reading("@@ content @@\n\(body)\n@@ end @@")
    #expect(reading.values == ["content": expected], "\(name)")
  }

  @Test func textsThatLookLikeMarkersGetLongerMarkers() throws {
    let draft = draft(try field("content", "a", "<<<<<<<< b\n@@ content @@", "=======\nc"))
    #expect(draft.text.contains("\n<<<<<<<<< local\n"))
    #expect(draft.text.contains("\n@@@ content @@@\n"))
    #expect(draft.reading(draft.text).open == ["content"])
    let reading = draft.reading("@@@ content @@@\n<<<<<<<< b\n=======\n\n@@@ end @@@\n")
    #expect(reading.values == ["content": "<<<<<<<< b\n======="])
  }

  @Test func otherValuesAreJSON() throws {
    let draft = draft(try field("playCount", 1, 2, 3), try field("isFavorite", false, true, false))
    let reading = draft.reading("@@ playCount @@\n 5\n@@ isFavorite @@\ntrue\n@@ end @@\n")
    #expect(reading.values == ["playCount": 5, "isFavorite": true])
  }

  @Test func referencesAreNames() throws {
    let draft = draft(try field("hero", "h0", "h1", "h2"))
    #expect(draft.text.contains("\nluna\n"))
    #expect(draft.reading("@@ hero @@\nluna\n").values == ["heroId": "h1"])
    #expect(draft.reading("@@ hero @@\nh2\n").values == ["heroId": "h2"])
    #expect(draft.reading("@@ hero @@\nlunna\n").problems.map(\.problem.code) == [.reference])
    #expect(draft.reading("@@ hero @@\nnew\n").problems.map(\.problem.code) == [.reference])
  }

  @Test(
    arguments: [
      ("title", "", Problem.Code.missing), ("playCount", "many", .syntax),
      ("playCount", "-1", .range), ("language", "xx", .choice), ("isFavorite", "\"yes\"", .type),
      ("content", "", .length),
    ])
  func refusesWhatARecordCannotHold(key: String, text: String, code: Problem.Code) throws {
    let reading = draft(try field(key, .null, .null, .null)).reading("@@ \(key) @@\n\(text)\n")
    #expect(reading.problems.map(\.problem.code) == [code])
    #expect(reading.problems.map(\.key) == [key])
    #expect(reading.values.isEmpty)
  }

  @Test func emptyMeansAbsentWhereThatIsAllowed() throws {
    let reading = draft(
      try field("event", "e1", "e2", "e3"), try field("language", "en", "de", "fr")
    ).reading("@@ event @@\n@@ language @@\n@@ end @@\n")
    #expect(reading.values == ["customEventId": .null, "language": "en"])
  }

  @Test func phrasesAreTextUnlessAServerHasSeveral() throws {
    let plain = ConflictDraft(
      Self.hero, [try field("specialAbility", of: .heroes, .null, "sings", "talks")],
      references: references)
    #expect(
      plain.reading("@@ specialAbility @@\nsings \"la\"\n").values.values.first == "sings \"la\"")
    let several = ConflictDraft(
      Self.hero, [try field("specialAbility", of: .heroes, .null, "sings", ["a", "b"])],
      references: references)
    #expect(several.text.contains("\n[\"a\",\"b\"]\n"))
    #expect(several.reading("@@ specialAbility @@\n[\"c\"]\n").values.values.first == ["c"])
  }
}

extension String {
  fileprivate func components(before mark: String) -> (before: String, after: String) {
    guard let range = self.ranges(of: mark).first else { return (self, "") }
    return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
  }
}
