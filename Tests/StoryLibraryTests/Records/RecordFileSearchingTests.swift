import JSONText
import Testing

@testable import StoryLibrary

@Suite("Searching a record")
struct RecordFileSearchingTests {
  private func found(_ query: String, _ json: String, _ ref: String = "stories/x") throws
    -> [String]
  {
    let file = try RecordFile(ref: #require(RecordRef(ref)), bytes: Array(json.utf8))
    return file.matches(of: TextSearch(query: query)).map { match in
      let words = match.line.matches.map { String(match.line.text[$0]) }.joined(separator: "|")
      return "\(file.position(of: match).line) \(match.field.key) \(match.line.index): \(words)"
    }
  }

  private let story = #"""
    {
      "title": "The First Snow",
      "hero": "luna",
      "language": "en",
      "content": [
        "Luna woke up.",
        "",
        "\"Snow came at night,\" said the cat.",
        "\u0053now\tand snow, été"
      ],
      "note": "snow"
    }
    """#

  @Test("lines and matches")
  func lines() throws {
    #expect(
      try found("snow", story) == [
        "2 title 0: Snow", "8 content 2: Snow", "9 content 3: Snow|snow",
      ])
    #expect(try found("snow ete cat", story).count == 3)
    #expect(
      try found("\"the first snow\" luna", story) == [
        "2 title 0: The First Snow", "6 content 0: Luna",
      ])
  }

  @Test(
    "names, choices and unknown members are not searched", arguments: ["en", "snow note", "title"])
  func fields(query: String) throws {
    #expect(try found(query, story) == [])
  }

  @Test("text in one string has its own lines")
  func string() throws {
    let json = #"{"title": "T", "content": "One.\nTwo snow.\n\nSnow."}"#
    #expect(try found("snow", json) == ["1 content 1: snow", "1 content 3: Snow"])
  }

  @Test("lists and phrases of heroes")
  func hero() throws {
    let json =
      #"{"name": "Luna", "age": 7, "traits": ["brave", "very curious"], "specialAbility": "Curious"}"#
    #expect(
      try found("curious", json, "heroes/luna") == [
        "1 traits 1: curious", "1 specialAbility 0: Curious",
      ])
  }

  @Test("values of the wrong type are passed over")
  func wrongTypes() throws {
    #expect(try found("snow", #"{"title": 7, "content": ["snow", 1, null, ["snow"]]}"#).count == 1)
  }
}
