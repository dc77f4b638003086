import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// The embedded server and sidecars that cannot be read: nothing else is stopped by them.
@Suite(.inTurn) struct BrokenSidecarTests {
  private let path = "heroes/.sync/luna.json"

  private func pushed() async throws -> SampleLibrary {
    let library = try SampleLibrary()
    try await library.push()
    // Something else that has to go on.
    try library.folder.edit("heroes/family/otto.json", "4", to: "5")
    return library
  }

  private func sent(_ run: CommandRun) -> JSONValue? { run.json?["sent"]?["updated"] }

  @Test func gitsMarkersAreMended() async throws {
    let library = try await pushed()
    let text = try library.folder.read(path)
    try library.folder.write("<<<<<<< HEAD\n\(text)=======\n\(text)>>>>>>> b\n", to: path)
    let dry = await library.run("sync", "--dry-run", "--json")
    #expect(dry.code == .done || dry.code == .failed, "\(dry.errors)")
    let run = await library.run("sync", "--json")
    #expect(run.code == .done, "\(run.errors)")
    #expect(sent(run) == ["heroes/family/otto"])
    #expect(try library.folder.read(path) == text)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await library.run("status", "--exit-code").code == .done)
  }

  @Test func textBeyondReadingIsMadeAnew() async throws {
    let library = try await pushed()
    let text = try library.folder.read(path)
    try library.folder.write(String(text.dropLast(20)), to: path)
    let run = await library.run("sync", "--json")
    #expect(run.code == .done, "\(run.errors)")
    #expect(sent(run) == ["heroes/family/otto"])
    #expect(run.json?["rebuilt"] == ["heroes/luna"])
    #expect(try library.folder.read(path) == text)
    try library.folder.write("{", to: path)
    let status = await library.run("status").output
    #expect(
      status.hasPrefix(
        """
        Sidecars that the next `stories sync` repairs
          !.  heroes/luna
              heroes/.sync/luna.json:1:2: error: the text ends here, but \
        a name in double quotes or “}” should follow
                Hint: the next `stories sync` rebuilds it from the server's record, and fields that \
        differ become conflicts; to keep an older one instead: `git checkout -- heroes/.sync/luna.json`

        """), "\(status)")
    let repair = await library.run("sync")
    #expect(repair.code == .done)
    #expect(
      repair.output.contains(
        "  repaired  heroes/luna  its sidecar was rebuilt from the server's record\n"),
      "\(repair.output)")
    #expect(await library.run("status", "--exit-code").code == .done)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await library.run("list", "heroes", "--json").json?["records"]?.array?.count == 2)
  }

  @Test func twoIdsWaitAndTheOthersGoOn() async throws {
    let library = try await pushed()
    let text = try library.folder.read(path)
    let other = text.replacing(#/"id": "[^"]+"/#, with: "\"id\": \"other\"")
    try library.folder.write("<<<<<<< HEAD\n\(text)=======\n\(other)>>>>>>> b\n", to: path)
    let run = await library.run("sync", "--json")
    #expect(run.code == .failed, "\(run.errors)")
    #expect(sent(run) == ["heroes/family/otto"])
    #expect(await library.run("resolve", "luna", "--local").code == .done)
    let after = await library.run("sync", "--json")
    #expect(after.code == .done)
    #expect(after.json?["sent"]?["created"] == [])
    #expect(await library.run("status", "--exit-code").code == .done)
  }

  @Test func aCloneMendsThemToo() async throws {
    let library = try await pushed()
    try await library.push()
    try library.folder.remove(".stories")
    let text = try library.folder.read(path)
    try library.folder.write("<<<<<<< HEAD\n\(text)=======\n\(text)>>>>>>> b\n", to: path)
    let run = await library.run("sync")
    #expect(run.code == .done, "\(run.errors)")
    #expect(try library.folder.read(path) == text)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
  }
}
