import JSONText
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ConflictsCommandTests {
  @Test func showsTheThreeVersionsOfEachField() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.ben.run("conflicts")
    #expect(run.code == .done)
    #expect(
      run.output == """
        events/power-cut  A Power Cut  kept locally, deleted on the server
          changed locally:
          promptSeed  “A tooth falls out.” → “A tooth falls far.”

        stories/2026/first-snow  My Snow  2 fields
          title
            base    “The First Snow”
            local   “My Snow”
            server  “Their Snow”
          content
            base    3 lines, 21 words; line 3: “It came at night, whispered the cat.”
            local   3 lines, 21 words; line 3: “It came at night, whispered a cat.”
            server  3 lines, 23 words; line 3: “It came at night, whispered the dog.”

        stories resolve REF          see both versions and decide
        stories resolve REF --local  keep the local version; or --server, --merge, --edit

        """)
  }

  @Test func jsonHasWholeValues() async throws {
    let world = try await ConflictedLibraries()
    let json = try #require(await world.ben.run("conflicts", "--json", "stories").json)
    #expect(json["schema"] == "stories.conflicts/1")
    let conflicts = try #require(json["conflicts"]?.array)
    #expect(conflicts.count == 1)
    #expect(conflicts[0]["ref"] == "stories/2026/first-snow")
    #expect(conflicts[0]["kind"] == "fields")
    let fields = try #require(conflicts[0]["fields"]?.array)
    #expect(
      fields[0] == [
        "field": "title", "base": "The First Snow", "local": "My Snow", "server": "Their Snow",
      ])
    #expect(fields[1]["server"]?.array?[2] == "It came at night, whispered the dog.")
  }

  @Test func saysSoWhereNothingWaits() async throws {
    let library = try SampleLibrary()
    let run = await library.run("conflicts")
    #expect(run.output == "Nothing is in conflict.\n")
    #expect(run.code == .done)
    #expect(await library.run("conflicts", "luna").output == "None of these is in conflict.\n")
    let json = await library.run("conflicts", "--json").json
    #expect(json?["conflicts"] == [])
  }

  @Test func namesTheTwoRecordsOfASplitSidecar() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let path = "heroes/.sync/luna.json"
    let text = try library.folder.read(path)
    let other = text.replacing(#/"id": "[^"]+"/#, with: "\"id\": \"other\"")
    try library.folder.write("<<<<<<< HEAD\n\(text)=======\n\(other)>>>>>>> b\n", to: path)
    let run = await library.run("conflicts")
    #expect(
      run.lines.first == "heroes/luna  Luna  its sidecar contains two server records")
    #expect(run.output.contains("server     “Luna”  id other"))
    let conflict = await library.run("conflicts", "--json").json?["conflicts"]?.array?.first
    #expect(conflict?["kind"] == "sidecar")
    #expect(conflict?["sidecar"] == .string(path))
    #expect(conflict?["server"]?["id"] == "other")
    let resolved = await library.run("resolve", "luna", "--local")
    #expect(resolved.code == .done)
    #expect(resolved.output == "Resolved heroes/luna: the local version\n")
    #expect(try library.folder.read(path) == text)
  }

  /// Git merges two records of one name so that markers stand within markers.
  @Test(arguments: ["--local", "--server"])
  func `a sidecar that cannot be taken apart does not lead in a circle`(
    _ choice: String
  ) async throws {
    let library = try SampleLibrary()
    try await library.push()
    let path = "heroes/.sync/luna.json"
    let text = try library.folder.read(path)
    let other = text.replacing(#/"id": "[^"]+"/#, with: "\"id\": \"other\"")
    try library.folder.write(
      "<<<<<<< HEAD\n<<<<<<<< a\n\(text)========\n\(other)>>>>>>>> b\n=======\n\(other)>>>>>>> c\n",
      to: path)
    let run = await library.run("resolve", "luna", choice)
    #expect(run.code == .failed)
    #expect(run.errors.contains("git checkout --ours -- heroes/.sync/luna.json"))
    let doctor = await library.run("doctor")
    #expect(doctor.output.contains("it is not synced until you choose which of two records it is"))
  }

  /// The two records may also be between nested markers in their file.
  @Test func `a sidecar is not chosen while its record has markers`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let path = "heroes/.sync/luna.json"
    let text = try library.folder.read(path)
    let other = text.replacing(#/"id": "[^"]+"/#, with: "\"id\": \"other\"")
    let sidecar = "<<<<<<< HEAD\n\(text)=======\n\(other)>>>>>>> b\n"
    try library.folder.write(sidecar, to: path)
    try library.folder.write(
      "{\n<<<<<<< HEAD\n\"name\": 1\n=======\n<<<<<<<< a\n\"name\": 2\n========\n\"name\": 3\n"
        + ">>>>>>>> b\n>>>>>>> b\n}\n", to: "heroes/luna.json")
    let listed = await library.run("conflicts")
    #expect(listed.lines.first == "heroes/luna  git's conflict markers")
    let run = await library.run("resolve", "luna", "--local")
    #expect(run.code == .failed)
    #expect(run.errors.contains("heroes/luna.json:2:1: this file contains git's conflict markers"))
    #expect(try library.folder.read(path) == sidecar)
  }
}
