import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Pictures and narrations on the pages of `stories browse`.
@Suite(.inTurn) struct BrowseMediaTests {
  private let server: TestServer
  private let folder: TemporaryFolder
  private let setting: CommandSetting

  init() async throws {
    let library = try await IllustratedLibrary()
    (server, folder, setting) = (library.server, library.folder, library.setting)
  }

  @Test func `what was fetched is shown at its place, in parts, and nothing else is`() async throws
  {
    let library = try BrowsedLibrary(folder) { $0.folder = $0.folder + "/mine" }
    #expect(try !library.text("/stories/first-snow").contains("<audio"))
    #expect(await setting.run("media", "pull").code == .done)
    let story = try library.text("/stories/first-snow")
    #expect(story.matches(of: /<figure>/).count == 3)
    let narration = try #require(
      story.firstMatch(of: /<audio [^>]*src="([^"]*)"/).map { String($0.output.1) })
    let whole = try library.get(narration)
    #expect(whole.status == 200 && whole.headers["Content-Type"] == "audio/mpeg")
    #expect(whole.headers["Accept-Ranges"] == "bytes")
    #expect(whole.body == SampleSound.mp3(frames: 50))
    let part = try library.get(narration, ["Range": "bytes=10-19"])
    #expect(part.status == 206 && part.body == Array(whole.body[10..<20]))
    #expect(part.headers["Content-Range"] == "bytes 10-19/\(whole.body.count)")
    let beyond = try library.get(narration, ["Range": "bytes=\(whole.body.count)-"])
    #expect(beyond.status == 416)
    #expect(try library.send(.get, library.root + narration).status == 403)
    let hero = try library.text("/heroes/luna")
    let picture = try #require(
      hero.firstMatch(of: /src="(\/media\/pictures\/heroes\/luna[^"]*)"/).map {
        String($0.output.1)
      })
    #expect(try library.get(picture).headers["Content-Type"] == "image/png")
    #expect(try library.text("/").contains(picture))
    #expect(try library.get("/media/stories/first-snow.json").status == 404)
    #expect(try library.get("/media/.stories/media/avatars").status == 404)
    // A file that has gone is a page like any other that is not there.
    try folder.remove("mine/.stories/media")
    #expect(try library.get(picture).status == 404)
    #expect(try !library.text("/heroes/luna").contains(picture))
  }
}
