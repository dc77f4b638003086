import JSONText
import StoryLibrary
import StorySync
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct StatusCommandTests {
  @Test func newLibrary() async throws {
    let library = try SampleLibrary()
    let result = await library.run("status")
    #expect(result.code == .done)
    #expect(
      result.output == """
        To send with `stories sync push`
          A.  heroes/family/otto
          A.  heroes/luna
          A.  events/lost-tooth
          A.  stories/2026/first-snow

        4 new.

        """)
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: [
    (["luna"], ["heroes/luna"]), (["heroes"], ["heroes/family/otto", "heroes/luna"]),
    (["heroes/family", "stories/2026/"], ["heroes/family/otto", "stories/2026/first-snow"]),
    (["events/"], []), (["illustrations"], []),
    (["."], ["heroes/family/otto", "heroes/luna", "stories/2026/first-snow"]),
  ])
  func selectedRecords(_ words: [String], _ refs: [String]) async throws {
    let library = try SampleLibrary()
    try await library.push()
    for ref in ["heroes/family/otto", "heroes/luna"] {
      try library.folder.edit(ref + ".json", "\"age\": ", to: "\"age\": 1")
    }
    try library.folder.edit("stories/2026/first-snow.json", "\"title\": \"", to: "\"title\": \"T ")
    func run(_ words: [String]) async -> CommandRun {
      await CommandSetting(library.folder).run(words)
    }
    let text = await run(["status", "--porcelain=v1"] + words).output
    #expect(text == refs.map { "M. \($0)\t\($0.hasPrefix("h") ? "age" : "title")\n" }.joined())
    let json = await run(["status", "--json"] + words).json
    #expect(json?["records"]?.array?.compactMap { $0["ref"]?.string } == refs)
    #expect(
      await run(["status", "--exit-code"] + words).code == (refs.isEmpty ? .done : .pending))
  }

  /// What others have is neither counted nor reported, and what is nowhere is no error.
  @Test func aSelectionSaysNothingOfOtherRecords() async throws {
    let library = try SampleLibrary()
    #expect(await library.run("status", "illustrations").output == "No records there.\n")
    try await library.push()
    try library.folder.remove("heroes/luna.json")
    try library.folder.write("x", to: "heroes/nova.jsonc")
    #expect(await library.run("status").output.contains("nova.jsonc"))
    let otto = await library.run("status", "otto")
    #expect(otto.output == "Everything is in sync (1 hero).\n" && otto.errors == "")
    #expect(await library.run("status", "luna").output.contains("heroes/luna.json"))
    let json = await library.run("status", "otto", "--json").json
    #expect(json?["problems"] == [] && json?["counts"] == ["synced": 1])
  }

  /// Only a sidecar came from elsewhere, of a version in which Luna is ten.
  @Test func anOutdatedRecordIsToReceiveAndIsLeftAlone() async throws {
    let library = try SampleLibrary()
    let luna = #"{"name": "Luna", "age": 7, "traits": ["brave"]}"#
    try library.folder.write(luna, to: "heroes/luna.json")
    try await library.push()
    for (old, new) in [("\"age\": 7", "\"age\": 10"), ("\"updatedAt\": \"2", "\"updatedAt\": \"3")]
    {
      try library.folder.edit("heroes/.sync/luna.json", old, to: new)
    }
    let status = await library.run("status", "--exit-code")
    #expect(status.code == .pending)
    #expect(status.output.contains("To receive"))
    #expect(status.output.hasSuffix("1 outdated and 3 in sync.\n"))
    let json = await library.run("status", "--json").json
    #expect(json?["records"]?.array?.first?["outdated"] == true)
    let fmt = await library.run("fmt")
    #expect(fmt.code == .failed && fmt.errors.contains("nobody edited it"))
    #expect(try library.folder.read("heroes/luna.json") == luna)
  }

  @Test func recordsThatOnlyTheServerHasCanBeNamed() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer()
    let ann = try server.library(in: folder, "ann")
    let ben = try server.library(in: folder, "ben")
    try folder.write(SampleLibrary.luna, to: "ann/heroes/luna.json")
    try folder.write(SampleLibrary.otto, to: "ann/heroes/otto.json")
    #expect(await ann.run("sync").code == .done)
    for words in [["luna"], ["heroes"], ["."], []] {
      let text = await ben.run(["status", "--remote", "--porcelain=v1"] + words).output
      #expect(text == (words == ["luna"] ? ".A heroes/luna\n" : ".A heroes/luna\n.A heroes/otto\n"))
    }
    #expect(await ben.run("status", "luna").code == .wrongUsage)
    #expect(await ben.run("sync", "pull", ".").output.contains("heroes/otto"))
  }

  @Test func aWordWithoutARecordIsAnError() async throws {
    let library = try SampleLibrary()
    let result = await library.run("status", "lunar")
    #expect(result.code == .wrongUsage && result.errors.contains("heroes/luna"))
  }

  @Test func draftIsListedButNotPending() async throws {
    let library = try SampleLibrary()
    try await library.push()
    #expect(await library.run("new", "story", "A Warm Winter", "--hero", "luna").code == .done)
    let result = await library.run("status", "--exit-code")
    #expect(result.code == .done)
    #expect(
      result.output == """
        Drafts, not sent until they have text
          a.  stories/a-warm-winter

        1 draft and 4 in sync.

        """)
    #expect(await library.run("status", "--porcelain=v1").output == "a. stories/a-warm-winter\n")
    let json = await library.run("status", "--json").json
    #expect(json?["counts"] == ["synced": 4, "draft": 1])
    #expect(json?["records"]?.array?.map { $0["state"] } == ["draft"])
    #expect(await library.run("check").code == .done)
    let push = await library.run("sync")
    #expect(push.code == .done)
    #expect(push.output.hasPrefix("Everything is in sync"))
    #expect(await library.run("diff").errors == "Nothing differs from the last synced versions.\n")
    #expect(await library.run("show", "a-warm-winter").output.contains("· draft\n"))
    let audio = await library.run("generate", "audio", "a-warm-winter")
    #expect(audio.code == .failed)
    #expect(audio.errors.contains("it is a draft, which has no text yet"))
  }

  @Test func emptyLibrarySaysHowToBegin() async throws {
    let folder = try TemporaryFolder()
    _ = try Library.create(
      at: folder.path, configuration: LibraryConfiguration(server: .embedded))
    let result = await CommandSetting(folder).run("status")
    #expect(
      result.output == "No records yet. Create the first one: stories new hero NAME\n")
    #expect(await CommandSetting(folder).run("status", "--exit-code").code == .done)
  }

  @Test func cleanLibraryIsOneLine() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let result = await library.run("status", "--exit-code")
    #expect(result.code == .done)
    #expect(result.output == "Everything is in sync (2 heroes, 1 event and 1 story).\n")
    let all = await library.run("status", "--all")
    #expect(all.lines.contains("  ..  heroes/luna"))
  }

  /// A library with one record of each state that a person can bring about.
  private func changed() async throws -> SampleLibrary {
    let library = try SampleLibrary()
    let folder = library.folder
    try folder.write(SampleLibrary.otto, to: "heroes/pip.json")
    try folder.edit("heroes/pip.json", "Otto", to: "Pip")
    try await library.push()
    try folder.edit("heroes/luna.json", "7", to: "8")
    try folder.remove("heroes/pip.json")
    try folder.move("events/lost-tooth.json", to: "events/teeth/gone.json")
    try folder.move("stories/2026/first-snow.json", to: "stories/snow.json")
    try folder.edit("stories/snow.json", "socks", to: "shoes")
    try folder.write("{\"name\": \"Zoë\", \"age\": 40, \"traits\": []}", to: "heroes/zoë.json")
    try folder.write("{\n  \"name\": \"Otto\",\n}", to: "heroes/family/otto.json")
    return library
  }

  @Test func everyState() async throws {
    let library = try await changed()
    let result = await library.run("status")
    #expect(
      result.output == """
        To send with `stories sync push`
          (`stories restore REF` restores the last synced version)
          M.  heroes/luna        age
          D.  heroes/pip
          R.  events/teeth/gone  was events/lost-tooth
          R.  stories/snow       was stories/2026/first-snow; content

        Not synced until fixed
          !.  heroes/family/otto
              heroes/family/otto.json:2:17: error: a comma must not come before a closing bracket or brace
                Hint: remove this comma
                Hint: to restore the last synced version: stories restore heroes/family/otto
          A.  heroes/zoë
              heroes/zoë.json:1:24: error: “age” must be between 3 and 12, but this is 40
              heroes/zoë.json:1:38: error: “traits” has 0 elements, but 1 to 20 are allowed

        1 new, 2 edited, 1 deleted, 1 renamed and 1 unreadable.

        """)
    #expect(result.code == .done)
    #expect(await library.run("status", "--exit-code").code == .pending)
  }

  @Test func whatAnEditedRecordWaitsForIsTold() async throws {
    let library = try SampleLibrary()
    // Of a new record that goes without saying.
    #expect(await !library.run("status").output.contains("waits for"))
    try await library.push()
    try library.folder.write(SampleLibrary.otto, to: "heroes/pip.json")
    try library.folder.edit("stories/2026/first-snow.json", "\"luna\"", to: "\"pip\"")
    let output = await library.run("status").output
    #expect(output.contains("stories/2026/first-snow  hero; waits for heroes/pip\n"))
    let why = await library.run("why", "first-snow")
    #expect(why.output.contains("It names heroes/pip, which the server does not have yet.\n"))
    let json = await library.run("why", "first-snow", "--json").json
    #expect(json?["waitsFor"] == ["heroes/pip"])
    try await library.push()
    #expect(await library.run("why", "first-snow", "--json").json?["waitsFor"] == nil)
  }

  @Test func jsonIsTheStableSurface() async throws {
    let library = try await changed()
    let json = try #require(await library.run("status", "--json").json)
    #expect(json["schema"] == "stories.status/1")
    #expect(json["server"] == "embedded")
    #expect(json["account"] == .null)
    #expect(
      json["counts"] == [
        "synced": 1, "pendingCreate": 1, "pendingUpdate": 2, "pendingDelete": 1, "unreadable": 1,
      ])
    let records = try #require(json["records"]?.array)
    func record(_ ref: String) throws -> JSONValue {
      try #require(records.first { $0["ref"] == .string(ref) })
    }
    #expect(
      try record("heroes/luna") == [
        "ref": "heroes/luna", "state": "pendingUpdate", "code": "M.", "fields": ["age"],
      ])
    #expect(
      try record("stories/snow") == [
        "ref": "stories/snow", "state": "pendingUpdate", "code": "R.", "fields": ["content"],
        "from": "stories/2026/first-snow",
      ])
    #expect(try record("events/teeth/gone")["from"] == "events/lost-tooth")
    #expect(try record("heroes/pip")["state"] == "pendingDelete")
    let error = try #require(try record("heroes/family/otto")["error"])
    #expect(error["file"] == "heroes/family/otto.json")
    #expect(error["line"]?.integer == 2)
    #expect(error["column"]?.integer == 17)
    #expect(error["message"]?.string?.isEmpty == false)
    #expect(records.allSatisfy { $0["code"]?.string != ".." })
  }

  @Test func jsonListsRecordsInSyncOnlyOnRequest() async throws {
    let library = try SampleLibrary()
    try await library.push()
    #expect(await library.run("status", "--json").json?["records"] == [])
    let all = await library.run("status", "--json", "--all").json?["records"]?.array ?? []
    #expect(all.map { $0["state"] } == Array(repeating: "synced", count: 4))
    #expect(all.map { $0["code"] } == Array(repeating: "..", count: 4))
  }

  @Test func porcelainIsStable() async throws {
    let library = try await changed()
    try library.folder.write(SampleLibrary.luna, to: "heroes/a \"b\"\tc.json")
    try library.folder.write(SampleLibrary.luna, to: "heroes/b\u{9B}31m\u{202E}.json")
    let result = await library.run("status", "--porcelain=v1")
    #expect(
      result.lines == [
        "!. \"heroes/a \\\"b\\\"\\tc\"",
        "!. \"heroes/b\\u009b31m\\u202e\"",
        "!. heroes/family/otto",
        "M. heroes/luna\tage",
        "D. heroes/pip",
        "A. heroes/zoë",
        "R. events/teeth/gone\t\tevents/lost-tooth",
        "R. stories/snow\tcontent\tstories/2026/first-snow",
        "",
      ])
    let nulls = await library.run("status", "--porcelain=v1", "-z")
    #expect(
      nulls.output.split(separator: "\0", omittingEmptySubsequences: false) == [
        "!. heroes/a \"b\"\tc", "", "!. heroes/b\u{9B}31m\u{202E}", "", "!. heroes/family/otto", "",
        "M. heroes/luna", "age",
        "D. heroes/pip", "", "A. heroes/zoë", "", "R. events/teeth/gone", "", "events/lost-tooth",
        "R. stories/snow", "content", "stories/2026/first-snow", "",
      ])
  }

  @Test(arguments: [["--porcelain", "v1", "--json"], ["-z"], ["--porcelain"], ["--porcelain=v2"]])
  func formsExcludeEachOther(options: [String]) async throws {
    let library = try SampleLibrary()
    #expect(await CommandSetting(library.folder).run(["status"] + options).code == .wrongUsage)
  }

  @Test func conflictsAreForDeciding() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    try library.folder.edit(
      "heroes/.sync/luna.json", "\"server\": {",
      to: """
        "conflict": {"updatedAt": "2026-11-20T10:00:00.000Z", "fields": {"age": {"base": 7, "server": 9}}},
          "server": {
        """)
    let result = await library.run("status")
    #expect(
      result.output.hasPrefix(
        "Conflicts to resolve\n  UU  heroes/luna  age\n\n1 in conflict"))
    let diff = await library.run("diff")
    #expect(
      diff.output == """
        heroes/luna  in conflict
          age  in conflict
              base    7
              local   8
              server  9

        """)
  }

  @Test func aFailedTryIsTold() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    var failures = FailureStore(try Library(root: library.folder.path))
    failures[RecordRef(kind: .heroes, name: "luna")] = .init(message: "no luck", hint: "try again")
    failures[RecordRef(kind: .heroes, name: "family/otto")] = .init(message: "long ago")
    try failures.save()
    let result = await library.run("status")
    #expect(
      result.output == """
        To send with `stories sync push`
          (`stories restore REF` restores the last synced version)
          M.  heroes/luna  age
              last sync failed: no luck
                Hint: try again

        1 failed and 3 in sync.

        """)
    let json = await library.run("status", "--json").json
    #expect(json?["counts"] == ["synced": 3, "failed": 1])
    #expect(
      json?["records"] == [
        [
          "ref": "heroes/luna", "state": "failed", "code": "M.", "fields": ["age"],
          "error": [
            "file": "heroes/luna.json", "line": nil, "column": nil, "message": "no luck",
            "hint": "try again",
          ],
        ]
      ])
  }
}
