import JSONText
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct SearchCommandTests {
  private func library() throws -> SampleLibrary {
    let library = try SampleLibrary()
    try library.folder.write(
      #"""
      {
        "title": "L’été",
        "hero": "otto",
        "language": "fr",
        "isFavorite": true,
        "content": [
          "La neige, the snow."
        ]
      }

      """#, to: "stories/ete.json")
    return library
  }

  @Test(
    arguments: [
      (
        ["snow"],
        [
          "stories/2026/first-snow.json:2: The First Snow",
          "stories/ete.json:7: La neige, the snow.",
        ]
      ),
      (["ETE"], ["stories/ete.json:2: L’été"]),
      (
        ["white", "socks"],
        [
          "stories/2026/first-snow.json:7: Luna woke up and the window was white.",
          "stories/2026/first-snow.json:11: She did not stop for socks.",
        ]
      ),
      (["white", "neige"], []),
      (["the snow"], ["stories/ete.json:7: La neige, the snow."]),
      (
        ["tooth"],
        ["events/lost-tooth.json:2: A Lost Tooth", "events/lost-tooth.json:3: A tooth falls out."]
      ),
      (["brave"], ["heroes/luna.json:4: brave"]),
      (["snow", "--language", "fr"], ["stories/ete.json:7: La neige, the snow."]),
      (["snow", "--favorite"], ["stories/ete.json:7: La neige, the snow."]),
      (["snow", "--hero", "luna"], ["stories/2026/first-snow.json:2: The First Snow"]),
      (["snow", "--in", "stories/2026"], ["stories/2026/first-snow.json:2: The First Snow"]),
      (["luna", "--in", "heroes"], ["heroes/luna.json:2: Luna"]),
      (["snow", "--state", "synced"], []),
    ] as [([String], [String])])
  func finds(_ arguments: [String], _ expected: [String]) async throws {
    let library = try library()
    let result = await CommandSetting(library.folder).run(["search"] + arguments)
    #expect(result.code == .done)
    #expect(result.output == expected.map { $0 + "\n" }.joined())
    #expect(result.errors == (expected.isEmpty ? "Nothing found.\n" : ""))
  }

  @Test func recordsWithMatchingTitlesComeFirst() async throws {
    let library = try library()
    try library.folder.write(
      #"{"title": "A", "hero": "luna", "content": ["Snow."]}"#, to: "stories/2026/a.json")
    let result = await library.run("search", "snow", "--json")
    let records = try #require(result.json?["records"]?.array)
    #expect(
      records.map { $0["ref"] } == ["stories/2026/first-snow", "stories/2026/a", "stories/ete"])
    #expect(
      records[2] == [
        "ref": "stories/ete", "kind": "stories", "title": "L’été", "file": "stories/ete.json",
        "lines": [
          ["field": "content", "line": 7, "text": "La neige, the snow.", "matches": ["snow"]]
        ],
      ])
  }

  @Test func theMatchIsColoured() async throws {
    let library = try library()
    let result = await library.run("search", "snow", "--hero", "luna", "--color", "always")
    #expect(result.output.hasSuffix("The First \u{1B}[1;31mSnow\u{1B}[0m\n"))
  }

  @Test func whatCannotBeReadIsNamed() async throws {
    let library = try library()
    try library.folder.write("{", to: "heroes/luna.json")
    let result = await library.run("search", "tooth")
    #expect(result.code == .failed)
    #expect(result.lines.count == 3 && result.errors.hasPrefix("heroes/luna.json:1:2: error: "))
    let json = await library.run("search", "tooth", "--json").json
    #expect(json?["problems"]?.array?.count == 1 && json?["records"]?.array?.count == 1)
  }

  @Test func controlCharactersAreEscaped() async throws {
    let library = try library()
    try library.folder.edit("heroes/luna.json", "talks to", to: "\\u001b]0;owned\\u0007 talks to")
    let result = await library.run("search", "talks")
    #expect(result.output == "heroes/luna.json:5: \\u{1b}]0;owned\\u{7} talks to stars\n")
  }

  @Test(arguments: [[], ["…"], ["snow", "--hero", "nobody"], ["snow", "--in", "storis"]])
  func wrongUse(arguments: [String]) async throws {
    let library = try library()
    let result = await CommandSetting(library.folder).run(["search"] + arguments)
    #expect(result.code == .wrongUsage && result.output.isEmpty)
  }
}
