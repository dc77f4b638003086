import JSONText
import StoryLibrary
import Testing

@testable import StoryAPI

@Suite struct AnswerFileTests {
  private func parse(_ text: String) throws -> AnswerFile {
    try AnswerFile(parsing: Array(text.utf8), file: "app.json")
  }

  private static let hero =
    #"{"id":"h1","name":"Luna","age":7,"traits":["brave"],"specialAbilities":["sings"],"createdAt":"2026-01-02T03:04:05.000Z","avatarUrl":null}"#
  private static let story =
    #"{"id":"s1","title":"Snow","content":"a\n\nb","heroId":"h1","language":"en","isFavorite":true,"playCount":0,"audioUrl":"https://x/y?z"}"#
  private static let event =
    #"{"id":"e1","title":"Tooth","promptSeed":"x","category":"general","keywords":[]}"#

  @Test(
    arguments: [
      ("a list of v1", #"{"data":{"heroes":[\#(hero)],"pagination":{"total":1}}}"#, [.heroes]),
      ("a list of v0", #"{"data":[\#(event)],"pagination":{"total":1}}"#, [.events]),
      ("a single answer", #"{"data":\#(story),"message":"ok"}"#, [.stories]),
      ("a record alone", story, [.stories]),
      ("an array", "[\(story),\(hero)]", [.stories, .heroes]),
      (
        "several lists",
        #"{"stories":[\#(story)],"heroes":[\#(hero)],"customEvents":[\#(event)]}"#,
        [.heroes, .events, .stories]
      ),
      ("several lists in data", #"{"data":{"heroes":[\#(hero)],"stories":[]}}"#, [.heroes]),
      ("a deleted record", #"{"data":[{"id":"x","deleted":true,"updatedAt":"…"}]}"#, []),
    ] as [(String, String, [EntityKind])])
  func `records are found in`(_ form: String, _ text: String, _ kinds: [EntityKind]) throws {
    let file = try parse(text)
    #expect(file.records.map(\.kind) == kinds, "\(form)")
    #expect(file.problems.isEmpty && file.partialLists.isEmpty)
  }

  @Test func `a record has what a person owns, but for defaults`() throws {
    let record = #"{"title":"Up","hero":"mika","heroId":null,"event":"ev","content":["a","b"]}"#
    let file = try parse("[\(Self.hero),\(Self.story),\(Self.event),\(record)]")
    #expect(
      file.records.map(\.fields) == [
        ["name": "Luna", "age": 7, "traits": ["brave"], "specialAbility": "sings"],
        ["title": "Snow", "heroId": "h1", "content": "a\n\nb", "isFavorite": true],
        ["title": "Tooth", "promptSeed": "x"],
        ["title": "Up", "hero": "mika", "event": "ev", "content": ["a", "b"]],
      ])
    #expect(file.records.map(\.id) == ["h1", "s1", "e1", nil])
  }

  @Test func `a page of a longer list is noticed`() throws {
    let file = try parse(#"{"data":{"stories":[\#(Self.story)],"pagination":{"total":120}}}"#)
    #expect(file.partialLists == [.init(kind: .stories, count: 1, total: 120)])
  }

  @Test func `what is no record is named with its place, and the others are found`() throws {
    let file = try parse("{\"stories\": [5,\n {\"x\": 1}, \(Self.story)],\n \"heroes\": [null]}")
    #expect(file.records.map(\.kind) == [.stories, .stories])
    func problem(_ what: Problem.What, _ line: Int, _ column: Int) -> Problem {
      Problem(what, file: "app.json", position: TextPosition(line: line, column: column))
    }
    #expect(
      file.problems == [problem(.notAnObject(.null), 3, 13), problem(.notAnObject(.number), 1, 14)])
    #expect(try parse(#"{"answer": 42}"#).problems == [problem(.noRecords, 1, 1)])
    let problem = #expect(throws: Problem.self) { try parse("{\"stories\": [,]}") }
    #expect(problem?.description.hasPrefix("app.json:1:14: ") == true)
  }
}
