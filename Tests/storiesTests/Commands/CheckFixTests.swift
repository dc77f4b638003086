import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// What the commands say about records that people wrote wrong, and what it repairs.
@Suite struct CheckFixTests {
  private let folder: TemporaryFolder

  init() throws { folder = try SampleLibrary().folder }

  private func perform(_ words: String...) async -> CommandRun { await perform(words) }

  private func perform(_ words: [String]) async -> CommandRun {
    await CommandSetting(folder).run(words)
  }

  private static let story = "stories/2026/first-snow.json"

  private func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: Array(folder.read(path).utf8))
  }

  private func hero(_ text: String, at path: String = "heroes/nova.json") throws {
    try folder.write(text, to: path)
  }

  // MARK: Messages

  /// A hero's file and the whole of what is said about it.
  @Test(arguments: [
    (
      "{\n\"name\": null,\n\"age\": 7, \"traits\": [\"kind\"]}",
      "heroes/nova.json:2:9: error: “name” needs a value, but this is null\n"
    ),
    (
      "{\"name\": \"Nova\", \"age\": 7,\n  \"trait\": [\"kind\"]}",
      """
      heroes/nova.json:2:3: error: “trait” should be “traits”
        Hint: rename it: every hero needs “traits”

      """
    ),
    (
      "{\"name\": \"Nova\", \"age\": 13,\n\"traits\": [\"kind\"]}",
      "heroes/nova.json:1:25: error: “age” must be between 3 and 12, but this is 13\n"
    ),
    (
      "{\"title\": \"Nova\", \"hero\": \"luna\", \"content\": [\"A.\"]}",
      """
      heroes/nova.json:1:1: error: this looks like a story, but it is in heroes/
        Hint: move it to stories/

      """
    ),
  ])
  func `a mistake is one message at its place`(text: String, said: String) async throws {
    try hero(text)
    let run = await perform("check")
    #expect(run.code == .failed)
    #expect(run.output == said + "5 records checked: 1 error.\n")
  }

  @Test func `a hero named by its title gets the name of its file`() async throws {
    try folder.edit("heroes/family/otto.json", "\"Otto\"", to: "\"Captain Otto\"")
    try folder.edit(Self.story, "\"luna\"", to: "\"captain otto\"")
    let run = await perform("check")
    #expect(
      run.output.hasPrefix(
        """
        \(Self.story):3:11: error: there is no hero “captain otto” in this library
          Hint: this is the hero's name: write “family/otto”, its file

        """), "\(run.output)")
    #expect(await perform("status").output.contains("write “family/otto”"))
    // With the program as it was built.
    #expect(try BuiltProgram(in: folder).run("check", "--fix").code == 0)
    #expect(try json(Self.story)["hero"] == "family/otto")
  }

  @Test func `a comma that is missing at the end of a line is added`() async throws {
    let text =
      "{\r\n\t\"name\": \"Nova\"\r\n\t\"age\": 7,\r\n\t\"traits\": [\r\n\"a\"  \r\n\"b\"\r\n]\r\n}"
    try hero(text)
    let dry = await perform("check", "--fix", "--dry-run")
    #expect(
      dry.output.hasPrefix(
        """
        Would fix heroes/nova.json:3:2: added a comma
        Would fix heroes/nova.json:6:1: added a comma
        heroes/nova.json:3:2: error: expected “,” or “}”, but found “"”
          Hint: put a comma at the end of line 2

        """), "\(dry.output)")
    #expect(try folder.read("heroes/nova.json") == text)
    #expect(await perform("check", "--fix").code == .done)
    #expect(
      try folder.read("heroes/nova.json")
        == text.replacing("\"Nova\"", with: "\"Nova\",").replacing("\"a\"", with: "\"a\","))
    #expect(await perform("undo").code == .done)
    #expect(try folder.read("heroes/nova.json") == text)
  }

  @Test func `places are those of the text before all repairs`() async throws {
    try hero("{\"name\": \"Nova\", \"age\": \"7\", \"traits\": \"brave\",}")
    let check = await perform("check", "--fix")
    let places = check.output.matches(of: /nova.json:1:(\d+):/).map { Int($0.1) }
    #expect(places == [47, 25, 40], "\(check.output)")
  }

  /// Texts that need a decision.
  @Test(arguments: [
    "{\"name\": \"Nova\" \"age\": 7, \"traits\": [\"a\"]}",
    "{\"name\": \"One line\n\"and another\",\n\"age\": 7, \"traits\": [\"a\"]}",
    "{\"name\": \"One line\"\n\"and another\",\n\"age\": 7, \"traits\": [\"a\"]}",
    "{\"name\": \"One line\"\n\"and another\"",
  ])
  func `other commas are left to people`(text: String) async throws {
    try hero(text)
    let check = await perform("check")
    #expect(check.code == .failed)
    #expect(await perform("check", "--fix").output == check.output)
    #expect(try folder.read("heroes/nova.json") == text)
  }

  // MARK: Stray files

  /// A file that looks like a record, what is said about it, and what to do.
  @Test(arguments: [
    (
      "heroes/nova.json.txt", "this is not a record, because its name does not end in .json",
      "rename it to nova.json"
    ),
    (
      "heroes/a/NOVA.JSON", "this is not a record, because its name does not end in .json",
      "rename it to NOVA.json"
    ),
    (
      "heroes/nova.jsonc", "this is not a record, because its name does not end in .json",
      "rename it to nova.json"
    ),
    ("nova.json", "this looks like a hero, but it is not in heroes/", "move it to heroes/"),
    ("hero/nova.json", "this looks like a hero, but it is not in heroes/", "move it to heroes/"),
    ("Hero/n.json.txt", "this looks like a hero, but it is not in heroes/", "move it to heroes/"),
  ])
  func `files that look like records are named and left`(
    path: String, message: String, hint: String
  ) async throws {
    let text = SampleLibrary.luna.replacing("Luna", with: "Nova")
    try hero(text, at: path)
    let check = await perform("check")
    #expect(check.code == .done, "a warning")
    let warning = "\(path): warning: \(message)\n  Hint: \(hint)\n"
    #expect(check.output.contains(warning), "\(check.output)")
    #expect(await perform("check", "--strict").code == .failed)
    #expect(await perform("status").output.contains("\(path): warning: \(message)"))
    #expect(await perform("doctor").output.contains("\(path): this"))
    #expect(await perform("check", "--fix").output == check.output)
    #expect(try folder.read(path) == text)
  }

  @Test func `a folder in another case is named`() async throws {
    // On a disk that ignores case, it is the folder of the heroes.
    guard !folder.exists("Heroes") else { return }
    try hero(SampleLibrary.luna, at: "Heroes/nova.json")
    let warning = "Heroes/nova.json: warning: this looks like a hero, but it is not in heroes/\n"
    #expect(await perform("check").output.contains(warning))
  }

  @Test func `other files are nobody's business`() async throws {
    try folder.write("{\"name\": \"x\", \"version\": \"1\"}", to: "package.json")
    try folder.write("notes", to: "heroes/notes.txt")
    try folder.write(SampleLibrary.luna, to: "drafts/nova.json")
    try folder.write("{}", to: "hero/empty.json")
    try folder.write("{\"title\": \"Home\", \"hero\": \"big.png\"}", to: "page.json")
    try folder.write(SampleLibrary.luna, to: ".nova.json")
    #expect(await perform("check", "--strict").output == "4 records checked, no problems.\n")
  }

  @Test func `a file never takes another's place`() async throws {
    try hero(SampleLibrary.otto, at: "heroes/luna.json.txt")
    let run = await perform("check", "--fix")
    #expect(run.output.contains("heroes/luna.json.txt: warning:"))
    let hint = "heroes/luna.json exists too: compare them, then give this one another name"
    #expect(run.output.contains("  Hint: \(hint)\n"), "\(run.output)")
    #expect(!run.output.contains("Fixed"))
    #expect(try folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(try folder.read("heroes/luna.json.txt") == SampleLibrary.otto)
  }

  @Test func `two new records with the same content are named`() async throws {
    try hero(SampleLibrary.luna)
    let run = await perform("check")
    #expect(run.code == .done)
    #expect(
      run.output.contains(
        "heroes/nova.json: warning: this new hero has the same content as heroes/luna.json\n"))
    #expect(await perform("status").output.contains("has the same content as heroes/luna.json"))
    #expect(await perform("doctor", "--json").output.contains("same content as heroes/luna.json"))
    try folder.edit("heroes/nova.json", "Luna", to: "Nova")
    #expect(await perform("check", "--strict").code == .done)
  }

  // MARK: --fix

  @Test func `what is safe is fixed, and can be undone`() async throws {
    try hero(
      "{\n  \"nmae\": \"Nova\",\n  \"age\": \"7\",\n  \"traits\": \"kind\",\n"
        + "  \"mine\": [1,],\n}\n")
    let before = try folder.read("heroes/nova.json")
    try folder.edit(Self.story, "\"en\"", to: "\"EN\", \"isFavorite\": \"true\"")
    try folder.edit(Self.story, "\"luna\"", to: "\"heroes/luna.json\"")
    let dry = await perform("check", "--fix", "--dry-run", "--json")
    #expect(dry.code == .failed)
    #expect(try folder.read("heroes/nova.json") == before)
    let run = await perform("check", "--fix")
    #expect(run.code == .done, "\(run.output)")
    #expect(
      run.output == """
        Fixed heroes/nova.json:5:13: removed a comma
        Fixed heroes/nova.json:5:15: removed a comma
        Fixed heroes/nova.json:2:3: renamed “nmae” to “name”
        Fixed heroes/nova.json:3:10: “age” is now 7
        Fixed heroes/nova.json:4:13: “traits” is now ["kind"]
        Fixed \(Self.story):3:11: “hero” is now "luna"
        Fixed \(Self.story):5:15: “language” is now "en"
        Fixed \(Self.story):5:35: “isFavorite” is now true
        5 records checked, no problems.

        """)
    #expect(
      try folder.read("heroes/nova.json")
        == "{\n  \"name\": \"Nova\",\n  \"age\": 7,\n  \"traits\": [\"kind\"],\n  \"mine\": [1]\n}\n"
    )
    #expect(await perform("check", "--fix").output == "5 records checked, no problems.\n")
    #expect(await perform("undo").code == .done)
    #expect(try folder.read("heroes/nova.json") == before)
    let report = try JSONValue(parsing: Array(dry.output.utf8))
    #expect(report["fixed"]?.array?.count == 8)
    #expect(
      report["fixed"]?.array?.first == [
        "file": "heroes/nova.json", "line": 5, "code": "syntax", "done": "removed a comma",
      ])
  }

  @Test func `one run repairs what shows only after another repair`() async throws {
    // The hero's name can be read once a comma is gone; then it is clear which hero is meant.
    let text = "{\"name\": \"Captain Nova\", \"age\": 7, \"traits\": [\"kind\"],}"
    try hero(text, at: "heroes/z.json")
    try folder.edit(Self.story, "\"luna\"", to: "\"captain nova\"")
    let story = try folder.read(Self.story)
    let run = await perform("check", "--fix")
    #expect(run.code == .done, "\(run.output)")
    #expect(try json(Self.story)["hero"] == "z")
    #expect(await perform("check", "--fix").output == "5 records checked, no problems.\n")
    #expect(await perform("undo").code == .done)
    #expect(try folder.read(Self.story) == story && folder.read("heroes/z.json") == text)
  }

  @Test func `an undo of a repair says what is not synced`() async throws {
    try hero("{\"name\": \"Nova\", \"age\": 7, \"traits\": [\"kind\"],}")
    #expect(await perform("check", "--fix").code == .done)
    #expect(
      await perform("undo").errors == "Not synced until fixed: stories check heroes/nova\n")
    #expect(await perform("undo").code == .done)
    try hero("{\"name\": \"Nova\", \"age\": \"7\", \"traits\": [\"kind\"]}")
    try hero("{\"name\": \"Vega\", \"age\": \"8\", \"traits\": [\"kind\"]}", at: "heroes/vega.json")
    #expect(await perform("check", "--fix").code == .done)
    #expect(await perform("undo").errors == "Not synced until fixed: stories check\n")
  }

  @Test(arguments: [
    (
      "",
      "heroes/nova.json:1:1: error: the file is empty\n"
        + "  Hint: write the record, or remove the file\n"
    ),
    (
      "[{\"name\": \"Nova\"}]",
      "heroes/nova.json:1:1: error: a record must be a JSON object, but this is an array\n"
        + "  Hint: a file holds one record: remove the “[” and “]” around it\n"
    ),
    (
      String(repeating: "[", count: 600),
      "heroes/nova.json:1:513: error: arrays and objects nest deeper than 512\n"
        + "  Hint: remove the brackets and braces that are not needed\n"
    ),
  ])
  func `what is no record has advice`(text: String, said: String) async throws {
    try hero(text)
    #expect(await perform("check").output.hasPrefix(said))
  }

  @Test func `an emptied record with a sidecar can be restored`() async throws {
    #expect(await perform("sync").code == .done)
    try hero("", at: "heroes/luna.json")
    #expect(await perform("check").output.contains("older version: stories restore heroes/luna"))
  }

  @Test func `one run repairs a file however many problems it has`() async throws {
    let note = String(repeating: "[1,], ", count: 99)
    try hero(
      "{\"name\": \"Nova\", \"age\": 7, \"traits\": [\"kind\"], \"mine\": [\(note)0]}")
    let run = await perform("check", "--fix", "--json")
    #expect(run.code == .done)
    #expect(try JSONValue(parsing: Array(run.output.utf8))["fixed"]?.array?.count == 99)
  }

  @Test(arguments: [["--dry-run"], []])
  func `a read-only file is named and left`(option: [String]) async throws {
    let text = "{\"name\": \"Nova\", \"age\": \"7\", \"traits\": [\"kind\"]}"
    try hero(text)
    try hero(text.replacing("Nova", with: "Bela"), at: "heroes/bela.json")
    try folder.setMode("heroes/nova.json", 0o444)
    let run = await perform(["check", "--fix"] + option)
    #expect(run.code == .failed)
    #expect(
      run.output.contains(
        "heroes/nova.json:1:25: error: could not be repaired: the file is read-only\n"),
      "\(run.output)")
    #expect(run.output.contains("heroes/bela.json:1:25: “age” is now 7\n"), "\(run.output)")
    #expect(!run.output.contains("heroes/nova.json:1:25: “age” is now"))
    #expect(try folder.read("heroes/nova.json") == text)
    #expect(try folder.mode("heroes/nova.json") & 0o777 == 0o444)
  }

  @Test func `what needs a decision is left`() async throws {
    let text = """
      {"name": "Nova", "age": "old", "traits": "brave, kind", "hairColour": "red"}
      """
    try hero(text)
    try folder.edit(Self.story, "\"luna\"", to: "\"lnua\"")
    let run = await perform("check", "--fix")
    #expect(run.code == .failed)
    #expect(run.output.hasSuffix("5 records checked: 3 errors and 1 warning.\n"), "\(run.output)")
    #expect(!run.output.contains("Fixed"))
    #expect(try folder.read("heroes/nova.json") == text)
    #expect(await perform("check", "--fix", "--staged").code == .wrongUsage)
    #expect(await perform("check", "--dry-run").code == .wrongUsage)
  }

  /// Members that are not certainly the missing field.
  @Test(arguments: [
    "\"age\": 7, \"trait\": \"kind\"", "\"age\": 7, \"tracts\": [\"kind\"]",
    "\"page\": 7, \"traits\": [\"kind\"]",
    "\"age\": 7, \"trait\": [\"kind\"], \"trits\": [\"shy\"]",
  ])
  func `a name is fixed only if it is certain`(members: String) async throws {
    let text = "{\"name\": \"Nova\", \(members)}"
    try hero(text)
    let run = await perform("check", "--fix")
    #expect(run.code == .failed)
    #expect(!run.output.contains("Fixed"), "\(run.output)")
    #expect(try folder.read("heroes/nova.json") == text)
  }

  @Test func `a note is not the text of a story`() async throws {
    let text = "{\"title\": \"A\", \"hero\": \"luna\", \"comment\": [\"Later.\"]}"
    try folder.write(text, to: "stories/a.json")
    #expect(await !perform("check", "--fix").output.contains("Fixed"))
    #expect(try folder.read("stories/a.json") == text)
  }

  @Test func `a record in the folder of another kind is named and left`() async throws {
    let text = SampleLibrary.snow.replacing("First", with: "Last")
    try hero(text, at: "heroes/winter/last-snow.json")
    let run = await perform("check", "heroes", "--fix")
    #expect(run.code == .failed)
    #expect(run.output.contains("this looks like a story, but it is in heroes/\n"))
    #expect(!run.output.contains("Fixed"))
    #expect(try folder.read("heroes/winter/last-snow.json") == text)
  }
}
