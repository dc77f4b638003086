import JSONText
import StoryAPI
import StoryLibrary
import Synchronization
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct EditingCommandTests {
  // MARK: mv

  @Test func moveRewritesReferencesAndSendsNothing() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let dry = await library.run("mv", "luna", "moon", "--dry-run")
    #expect(
      dry.output == """
        Would rename heroes/luna → heroes/moon
        Would update 1 reference: stories/2026/first-snow

        """)
    #expect(library.folder.exists("heroes/luna.json"))
    let run = await library.run("mv", "luna", "moon")
    #expect(run.code == .done)
    #expect(
      run.output == """
        Renamed heroes/luna → heroes/moon
        Updated 1 reference: stories/2026/first-snow

        """)
    #expect(try library.folder.read("heroes/moon.json") == SampleLibrary.luna)
    #expect(library.folder.exists("heroes/.sync/moon.json"))
    #expect(try library.folder.read("stories/2026/first-snow.json").contains("\"moon\""))
    #expect(await library.run("status", "--exit-code").code == .done)
    let json = await library.run("mv", "moon", "luna", "--json").json
    #expect(
      json == [
        "schema": "stories.mv/1", "dryRun": false, "from": "heroes/moon", "to": "heroes/luna",
        "rewritten": ["stories/2026/first-snow"],
      ])
  }

  @Test(
    arguments: [
      ("heroes/moon", "heroes/moon"), ("hero/moon", "heroes/moon"), ("moon.json", "heroes/moon"),
      ("heroes/moon.json", "heroes/moon"), ("night/moon", "heroes/night/moon"),
      ("heroes/family/", "heroes/family/luna"), ("family", "heroes/family/luna"),
      ("new-folder/", "heroes/new-folder/luna"), ("./heroes/moon", "heroes/moon"),
      ("Mond Frau", "heroes/Mond Frau"),
    ])
  func moveReadsNewNames(word: String, expected: String) async throws {
    let library = try SampleLibrary()
    let json = await library.run("mv", "luna", word, "--dry-run", "--json").json
    #expect(json?["to"]?.string == expected)
  }

  @Test func moveCountsPathsFromTheCurrentFolder() async throws {
    let library = try SampleLibrary()
    let inner = CommandSetting(library.folder.path("heroes/family"))
    #expect(
      await inner.run("mv", "otto", "ottokar", "--json").json?["to"] == "heroes/family/ottokar")
    #expect(await inner.run("mv", "ottokar", "../otto", "--json").json?["to"] == "heroes/otto")
  }

  @Test func moveRefusesNamesThatCannotBe() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.remove("heroes/family/otto.json")
    let cases: [(String, String)] = [
      ("family/otto", "heroes/family/otto was deleted locally"),
      ("FAMILY/otto", "a hero with this file name already exists"),
      ("events/luna", "cannot become one of the events\nHint: a record keeps its kind: write"),
      (".hidden", "“.hidden” begins with a dot"), ("a/../../../x", "“..” begins with a dot"),
      ("luna.json/a", "the folder “luna.json” ends in .json"),
      ("moon.json.json", "a new record's name cannot end in .json: “moon.json”"),
      (String(repeating: "a/", count: 40) + "b", "folders nest deeper than 32"),
      ("", "“” cannot be a hero's name"), (" ", "“ ” cannot be a hero's name"),
      ("/", "cannot be a hero's name"), ("family/ ", "cannot be a hero's name"),
    ]
    for (word, message) in cases {
      let run = await library.run("mv", "luna", word)
      #expect(run.code == .wrongUsage, "\(word)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }
    #expect(library.folder.exists("heroes/luna.json"))
  }

  @Test func moveOfAFolderIsLeftToTheShell() async throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleLibrary.otto, to: "heroes/family/ida.json")
    let run = await library.run("mv", "heroes/family", "heroes/kin")
    #expect(run.code == .wrongUsage)
    #expect(
      run.errors.contains("Hint: rename a folder with mv or git mv;"),
      "\(run.errors)")
  }

  @Test func moveToItsOwnNameDoesNothing() async throws {
    let library = try SampleLibrary()
    let run = await library.run("mv", "luna", "heroes/")
    #expect(run.code == .done && run.output.isEmpty)
    #expect(run.errors == "heroes/luna already has that name.\n")
    #expect(await library.run("mv", "luna", "luna", "--json").json?["rewritten"] == [])
  }

  // MARK: rm

  @Test func removeStatesTheDelete() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let dry = await library.run("rm", "first-snow", "--dry-run")
    #expect(dry.output == "Would remove stories/2026/first-snow\n")
    #expect(library.folder.exists("stories/2026/first-snow.json"))
    let run = await library.run("rm", "first-snow")
    #expect(run.code == .done)
    #expect(run.output == "Removed stories/2026/first-snow\n")
    #expect(
      run.errors
        == "The next push deletes 1 story on the server; `stories undo` reverts it.\n")
    let again = await library.run("rm", "first-snow")
    #expect(again.code == .done && again.output.isEmpty)
    #expect(
      again.errors == "stories/2026/first-snow is already removed; the next push deletes it.\n")
    #expect(await library.run("undo", "--dry-run").output.contains("stories/2026/first-snow"))
    let push = await library.run("sync", "push", "--json").json
    #expect(push?["sent"]?["deleted"] == ["stories/2026/first-snow"])
  }

  @Test func removeSaysThatAConflictGoesToo() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.ben.run("rm", ConflictedLibraries.story)
    #expect(
      run.errors.contains(
        "\(ConflictedLibraries.story) was in conflict: what somebody else changed on the server is deleted too.\n"
      ),
      "\(run)")
  }

  @Test func removeOfACopyOrADraftPromisesNoWrite() async throws {
    let library = try SampleLibrary()
    try await library.push()
    for folder in ["stories/2026/", "stories/2026/.sync/"] {
      let text = try library.folder.read(folder + "first-snow.json")
      try library.folder.write(text, to: folder + "copy.json")
    }
    let dry = await library.run("rm", "-r", "stories", "--dry-run", "--json").json
    #expect(dry?["onServer"]?.array?.count == 2)
    let copy = await library.run("rm", "copy")
    #expect(copy.output == "Removed stories/2026/copy\n")
    #expect(copy.errors.isEmpty)
    _ = await library.run("new", "story", "Rain", "--hero", "luna")
    _ = await library.run("rm", "rain")
    #expect(await library.run("undo").errors == "A draft is not sent.\n")
  }

  @Test func removeKeepsWhatIsStillNamedUnlessItGoesToo() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let run = await library.run("rm", "luna")
    #expect(run.code == .stopped)
    #expect(run.errors.contains("heroes/luna is still referenced by stories/2026/first-snow"))
    let json = await library.run("rm", "luna", "first-snow", "lost-tooth", "--json").json
    #expect(json?["removed"]?.array?.count == 3)
    #expect(json?["onServer"]?.array?.count == 3)
    #expect(await library.run("sync", "push").code == .done)
    #expect(await library.run("list", "--json").json?["records"]?.array?.count == 1)
  }

  @Test func removeTakesFoldersOnlyWhenAsked() async throws {
    let library = try SampleLibrary()
    let run = await library.run("rm", "heroes/family")
    #expect(run.code == .done, "a folder of one record is that record")
    let several = await library.run("rm", ".")
    #expect(several.code == .wrongUsage)
    #expect(
      several.errors == "Error: “.” names 3 records\nHint: to remove all of them: stories rm -r .\n"
    )
    #expect(await library.run("rm", "-r", ".").code == .done)
    #expect(await library.run("rm").code == .wrongUsage)
    #expect(await library.run("undo", "--json").json?["restored"]?.array?.count == 3)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
  }

  @Test func removedBytesComeBackWhateverTheyAre() async throws {
    let library = try SampleLibrary()
    try FileSystem.makeFolder(library.folder.path("heroes"))
    let bytes: [UInt8] = [0x7B, 0xFF, 0xFE, 0x00, 0x7D]
    try AtomicFile.write(bytes, to: library.folder.path("heroes/odd.json"))
    #expect(await library.run("rm", "heroes/odd").code == .done)
    #expect(await library.run("undo").code == .done)
    #expect(try FileSystem.read(library.folder.path("heroes/odd.json")) == bytes)
  }

  // MARK: edit

  @Test func editChecksTheRecordAfterwards() async throws {
    let library = try SampleLibrary()
    var setting = CommandSetting(library.folder)
    setting.environment["EDITOR"] = "sed -i s/age/aeg/"
    let run = await setting.run("edit", "luna")
    #expect(run.code == .failed)
    #expect(run.line(0) == "heroes/luna.json:3:3: error: “aeg” should be “age”")
    #expect(run.output.contains("Hint: rename it: every hero needs “age”"))
    setting.environment["EDITOR"] = "sed -i s/aeg/age/"
    let fixed = await setting.run("edit", "luna", "--json")
    #expect(fixed.code == .done)
    #expect(
      fixed.json == [
        "schema": "stories.edit/1", "ref": "heroes/luna", "changed": true, "problems": [],
      ])
    setting.environment["EDITOR"] = "true"
    #expect(await setting.run("edit", "luna").errors == "heroes/luna was not changed.\n")
    setting.environment["EDITOR"] = "false"
    #expect(await setting.run("edit", "luna").code == .failed)
    #expect(await setting.run("edit", "nobody").code == .wrongUsage)
    setting.environment = [:]
    #expect(await setting.run("edit", "luna").errors.hasPrefix("Error: no editor is set"))
  }

  @Test func aTextThatItsEditorMayHaveOpenStays() async throws {
    let library = try SampleLibrary()
    var setting = CommandSetting(library.folder)
    setting.environment["EDITOR"] = "true"
    setting.time.uptime = { .zero }
    let run = await setting.run("edit", "--text", "first-snow")
    #expect(run.code == .done)
    #expect(run.errors.hasPrefix("stories/2026/first-snow was not changed: the editor returned"))
    let command = try #require(run.errors.firstMatch(of: /then: stories (.*)\n/)?.output.1)
    let words = command.split(separator: " ").map(String.init)
    try library.folder.edit(try #require(words.last), "First", to: "Last")
    #expect(await setting.run(words).code == .done)
    #expect(try library.folder.read("stories/2026/first-snow.json").contains("The Last Snow"))
    // One that took its time was closed.
    try library.folder.remove(".stories/edit")
    let calls = Mutex(0)
    setting.time.uptime = {
      .seconds(
        calls.withLock {
          $0 += 2
          return $0
        })
    }
    let slow = await setting.run("edit", "--text", "first-snow")
    #expect(slow.errors == "stories/2026/first-snow was not changed.\n")
    #expect(!library.folder.exists(".stories/edit"))
  }

  @Test(arguments: ["caf\u{E9}", "cafe\u{301}"])
  func editOpensNeitherOfTwoNamesThatDifferInUnicodeForm(_ name: String) async throws {
    let library = try SampleLibrary()
    for form in ["caf\u{E9}", "cafe\u{301}"] {
      try library.folder.write(SampleLibrary.luna, to: "heroes/\(form).json")
    }
    var setting = CommandSetting(library.folder)
    setting.environment["EDITOR"] = "sed -i s/Luna/Moon/"
    let run = await setting.run("edit", "heroes/\(name)")
    #expect(run.code == .failed)
    #expect(run.errors.contains("only in its Unicode form"))
    for form in ["caf\u{E9}", "cafe\u{301}"] {
      #expect(try library.folder.read("heroes/\(form).json") == SampleLibrary.luna)
    }
  }

  /// As an editor does that has read the file before a scheduled sync writes it.
  @Test func editKeepsWhatASyncPulledMeanwhile() async throws {
    let folder = try TemporaryFolder()
    let library = try SampleLibrary()
    try await library.push()
    let (record, sidecar) = ("heroes/luna.json", "heroes/.sync/luna.json")
    let pulled = try library.folder.read(sidecar).replacing("talks to stars", with: "talks to owls")
    try folder.write(pulled, to: "sidecar")
    // The editor writes the old ability again, with an age of its own.
    try folder.write(SampleLibrary.luna.replacing("7", with: "8"), to: "record")
    try folder.write(
      """
      cp \(folder.path("sidecar")) \(library.folder.path(sidecar))
      cp \(folder.path("record")) "$1"
      """, to: "editor")
    var setting = CommandSetting(library.folder)
    setting.environment["EDITOR"] = "sh \(folder.path("editor"))"
    let run = await setting.run("edit", "luna")
    #expect(run.code == .done)
    #expect(
      run.errors == """
        A sync changed specialAbility while the editor was open; that was kept.
        heroes/luna: no problems.

        """)
    let expected = SampleLibrary.luna.replacing("7", with: "8")
      .replacing("talks to stars", with: "talks to owls")
    #expect(try library.folder.read(record) == expected)
    // Where both changed the same field, the person's own value stays.
    try folder.write(pulled.replacing("owls", with: "cats"), to: "sidecar")
    try folder.write(expected.replacing("owls", with: "dogs"), to: "record")
    let clash = await setting.run("edit", "luna")
    #expect(clash.errors.hasPrefix("A sync changed specialAbility while"), "\(clash.errors)")
    #expect(clash.errors.contains("the next push sends your version"))
    #expect(try library.folder.read(record).contains("talks to dogs"))
  }

  @Test(arguments: [true, false])
  func editKeepsWhatASyncPulledThoughTheEditorFailed(hasSidecar: Bool) async throws {
    let folder = try TemporaryFolder()
    let library = try SampleLibrary()
    try await library.push()
    let (record, sidecar) = ("heroes/luna.json", "heroes/.sync/luna.json")
    let pulled = try library.folder.read(sidecar).replacing("talks to stars", with: "talks to owls")
    // Without it, the first sync comes while the editor is open, too.
    if !hasSidecar { try library.folder.remove(sidecar) }
    try folder.write(pulled, to: "sidecar")
    try folder.write(SampleLibrary.luna.replacing("7", with: "8"), to: "record")
    try folder.write(
      """
      cp \(folder.path("sidecar")) \(library.folder.path(sidecar))
      cp \(folder.path("record")) "$1"
      exit 3
      """, to: "editor")
    var setting = CommandSetting(library.folder)
    setting.environment["EDITOR"] = "sh \(folder.path("editor"))"
    let run = await setting.run("edit", "luna")
    #expect(run.code == .failed)
    #expect(run.errors.hasPrefix("A sync changed specialAbility while the editor was open; that"))
    #expect(run.errors.contains("Error: "))
    let expected = SampleLibrary.luna.replacing("7", with: "8")
      .replacing("talks to stars", with: "talks to owls")
    #expect(try library.folder.read(record) == expected)
    // Nothing can be merged into a text that is not a record.
    try folder.write(pulled.replacing("owls", with: "cats"), to: "sidecar")
    try folder.write("{", to: "record")
    let broken = await setting.run("edit", "luna")
    #expect(broken.errors.hasPrefix("A sync changed specialAbility while the editor was open; y"))
    #expect(try library.folder.read(record) == "{")
  }
}
