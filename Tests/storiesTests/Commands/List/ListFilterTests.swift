import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// The filters and orders of `list`.
@Suite(.inTurn) struct ListFilterTests {
  /// The sample's records and three stories that the server has, with what it made of them.
  private func library() throws -> SampleLibrary {
    let library = try SampleLibrary()
    try library.folder.remove("stories/2026/first-snow.json")
    try add(
      "a", title: "Zebra", hero: "luna", made: "2026-01-03", read: "2026-05-01", count: 2,
      to: library)
    try add(
      "b", title: "apple", hero: "family/otto", made: "2026-01-01", language: "fr", to: library)
    try add(
      "2026/c", title: "Moon", hero: "luna", made: "2026-01-02", read: "2026-06-01", count: 5,
      isFavorite: true, to: library)
    return library
  }

  private func add(
    _ name: String, title: String, hero: String, made: String, read: String? = nil, count: Int = 0,
    language: String = "en", isFavorite: Bool = false, to library: SampleLibrary
  ) throws {
    let record: JSONObject = [
      "title": .string(title), "hero": .string(hero), "language": .string(language),
      "content": ["Once."], "isFavorite": .bool(isFavorite),
      "playCount": .number(JSONNumber(count)),
    ]
    let ref = RecordRef(kind: .stories, name: name)
    try library.folder.write(JSONValue.object(record).fileBytes(), to: ref.path)
    var server: JSONObject = [
      "createdAt": .string(made + "T10:00:00.000Z"), "audioUrl": count > 0 ? "/a.mp3" : .null,
      "audioDuration": 90,
    ]
    if let read { server["lastPlayedAt"] = .string(read + "T23:00:00.000Z") }
    var base = record
    base["hero"] = nil
    base["content"] = "Once."
    let sidecar: JSONObject = [
      "id": .string("id-" + title), "updatedAt": .string(made + "T11:00:00.000Z"),
      "base": .object(base), "server": .object(server),
    ]
    try library.folder.write(JSONValue.object(sidecar).fileBytes(), to: ref.sidecarPath)
  }

  private func refs(_ library: SampleLibrary, _ arguments: [String]) async -> [String]? {
    let result = await CommandSetting(library.folder).run(["list", "--json"] + arguments)
    return result.json?["records"]?.array?.compactMap { $0["ref"]?.string }
  }

  @Test(
    arguments: [
      (["stories"], ["2026/c", "a", "b"]), (["stories/2026"], ["2026/c"]),
      (["story", "stories/2026"], ["2026/c", "a", "b"]), (["--hero", "luna"], ["2026/c", "a"]),
      (["--hero", "luna", "--hero", "otto"], ["2026/c", "a", "b"]),
      (["--hero", "luna", "stories/2026"], ["2026/c"]), (["--language", "fr"], ["b"]),
      (["--favorite"], ["2026/c"]), (["--event", "lost-tooth"], []),
      (["stories", "--state", "synced"], []),
      (["stories", "--state", "pendingUpdate"], ["2026/c", "a", "b"]),
      (["stories", "--sort", "title"], ["b", "2026/c", "a"]),
      (["stories", "--sort", "made"], ["a", "2026/c", "b"]),
      (["stories", "--sort", "changed", "--reverse"], ["b", "2026/c", "a"]),
      (["stories", "--sort", "read"], ["2026/c", "a", "b"]),
      (["stories", "--sort", "readings"], ["2026/c", "a", "b"]),
      (["stories", "--reverse"], ["b", "a", "2026/c"]),
    ] as [([String], [String])])
  func stories(_ arguments: [String], _ expected: [String]) async throws {
    let library = try library()
    let found = await refs(library, arguments)
    #expect(found == expected.map { "stories/" + $0 }, "\(arguments)")
  }

  @Test func kindsStayInOrder() async throws {
    let library = try library()
    let refs = try #require(await refs(library, ["--sort", "title", "heroes", "story"]))
    #expect(
      refs == ["heroes/luna", "heroes/family/otto", "stories/b", "stories/2026/c", "stories/a"])
  }

  @Test func aLongListHasDatesReadingsAndMedia() async throws {
    let library = try library()
    try library.folder.write("{}", to: "illustrations/a/01.json")
    let result = await library.run("list", "stories", "--long", "--sort", "created")
    #expect(
      result.lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") } == [
        "M. stories/a Zebra 2026-01-03 2× 2026-05-01 narration (1 min 30 s), 1 picture en, luna",
        "M. stories/2026/c Moon 2026-01-02 5× 2026-06-01 narration (1 min 30 s) en, luna, favorite",
        "M. stories/b apple 2026-01-01 fr, family/otto", "",
      ])
    let json = await library.run("list", "stories/a", "--json").json?["records"]?.array?.first
    #expect(json?["content"] == "Once." && json?["createdAt"] == "2026-01-03T10:00:00.000Z")
    #expect(json?["media"] == ["narration", "pictures"] && json?["pictures"] == 1)
    #expect(json?["lastPlayedAt"] == "2026-05-01T23:00:00.000Z")
  }

  @Test func longNamesLeaveALineOfTheirOwnToTheRest() async throws {
    let library = try library()
    try library.folder.write(
      #"{"title": "Night", "hero": "luna", "content": "x"}"#,
      to: "stories/the-night-on-which-nobody-wanted-to-go-to-bed.json")
    var setting = CommandSetting(library.folder)
    setting.isTerminal = true
    setting.environment = ["NO_COLOR": "1"]
    let run = await setting.run("list", "stories", "--long", "--no-pager")
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    let rest = run.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      rest.contains("2026-01-03 2× 2026-05-01 narration (1 min 30 s) en, luna"), "\(run.output)")
  }

  @Test func showHasWhatTheServerMade() async throws {
    let library = try library()
    let result = await library.run("show", "stories/a", "luna")
    #expect(result.output.contains("\nMedia       narration (1 min 30 s)\n"))
    #expect(result.output.contains("\nCreated     2026-01-03\n"))
    #expect(result.output.contains("\nLast read   2026-05-01\n"))
    #expect(result.output.contains("\n\nLuna\nheroes/luna · new\n"))
    #expect(!result.output.contains("not set"))
    try library.folder.edit("heroes/luna.json", "\"age\"", to: "\"pet\": {\"a\": 1},\n  \"age\"")
    let all = await library.run("show", "luna", "stories/a", "--all-fields").output
    #expect(
      all.contains("\nEye color        not set\n") && all.contains("\npet              {\"a\":1}\n")
    )
    #expect(
      all.contains("\nAudio url       /a.mp3\n") && all.contains("\nId              id-Zebra\n"))
    let unread = await library.run("show", "stories/b", "--all-fields").output
    #expect(unread.contains("\nAudio url       not set\n"), "\(unread)")
    let json = await library.run("show", "luna", "stories/2026", "--json").json
    #expect(json?["schema"] == "stories.show-records/1")
    #expect(json?["records"]?.array?.map { $0["ref"] } == ["heroes/luna", "stories/2026/c"])
    #expect(await library.run("show").code == .wrongUsage)
  }

  @Test func stats() async throws {
    let library = try library()
    let result = await library.run("stats")
    #expect(result.code == .done)
    let lines = result.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("Records 2 heroes, 1 event and 3 stories"))
    #expect(lines.contains("Words 3 in stories") && lines.contains("Languages en 2, fr 1"))
    #expect(lines.contains("Pending 3 new, 3 edited") && lines.contains("Readings 7"))
    #expect(lines.contains("luna 7") && lines.contains("2026-06 5") && lines.contains("2026-05 2"))
    let json = await library.run("stats", "--json").json
    #expect(json?["schema"] == "stories.stats/1" && json?["readings"] == 7)
    #expect(json?["heroes"] == [["hero": "luna", "readings": 7]])
    #expect(json?["months"]?.array?.first == ["lastRead": "2026-06", "readings": 5])
    #expect(json?["waiting"] == ["pendingCreate": 3, "pendingUpdate": 3])
    let empty = try TemporaryFolder()
    _ = await CommandSetting(empty).run("init")
    #expect(await CommandSetting(empty).run("stats").output.contains("none yet"))
  }

  @Test func statsLeaveOutRemovedRecords() async throws {
    let library = try library()
    #expect(await library.run("rm", "stories/2026/c").code == .done)
    let json = await library.run("stats", "--json").json
    #expect(json?["records"] == ["heroes": 2, "events": 1, "stories": 2, "illustrations": 0])
    #expect(json?["words"] == 2 && json?["readings"] == 2)
    #expect(json?["languages"] == ["en": 1, "fr": 1])
    #expect(json?["heroes"] == [["hero": "luna", "readings": 2]])
    #expect(json?["months"] == [["lastRead": "2026-05", "readings": 2]])
    #expect(
      json?["waiting"] == ["pendingCreate": 3, "pendingUpdate": 2, "pendingDelete": 1])
  }
}
