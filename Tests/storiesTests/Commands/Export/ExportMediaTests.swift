import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Exports with what a server drew and read aloud.
@Suite(.inTurn) struct ExportMediaTests {
  private let server: TestServer
  private let folder: TemporaryFolder
  private let setting: CommandSetting

  init() async throws {
    let library = try await IllustratedLibrary()
    (server, folder, setting) = (library.server, library.folder, library.setting)
  }

  @Test func `missing files are fetched on request, and shown`() async throws {
    let without = await setting.run("export", "html", "site")
    #expect(without.code == .done && !folder.exists("mine/site/pictures"))
    let run = await setting.run("export", "html", "site", "--pull")
    #expect(run.code == .done, "\(run.errors)")
    let story = try folder.read("mine/site/stories/first-snow.html")
    #expect(story.contains("<audio controls=\"controls\" preload=\"none\" src=\"../narrations/"))
    #expect(story.matches(of: /<figure>/).count == 3)
    #expect(folder.exists("mine/site/pictures/heroes/luna.png"))
    // They are on this machine now.
    try server.stop()
    let again = await setting.run("export", "html", "site", "--pull")
    #expect(again.code == .done && again.errors.contains(" 0 files written"), "\(again.errors)")
    let book = await setting.run("export", "epub", "a.epub", "luna", "--json")
    #expect(book.json?["leftOut"] == [], "\(book.output)")
    let text = String(decoding: try folder.bytes("mine/a.epub"), as: UTF8.self)
    #expect(text.contains("media-overlay=\"overlay0\"") && text.contains("first-snow/03.png"))
  }

  @Test func `what cannot be fetched is said, and the rest is exported`() async throws {
    server.server.addFault(
      FaultRule(.answer(status: 404, body: []), method: "GET", path: "*media*"))
    let run = await setting.run("export", "html", "site", "--pull")
    #expect(run.code == .failed && run.output == "site/index.html\n", "\(run.errors)")
    #expect(run.errors.contains("Error: avatar of heroes/luna: "), "\(run.errors)")
    #expect(folder.exists("mine/site/stories/first-snow.html"))
  }
}
