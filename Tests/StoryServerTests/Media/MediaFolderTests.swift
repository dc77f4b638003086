import Foundation
import JSONText
import Testing

@testable import StoryServer

@Suite struct MediaFolderTests {
  @Test func aServerInMemoryHasAFolderFromItsFirstFileToItsEnd() throws {
    let server = try TestServer()
    let path = server.server.core.service.workshop.media.path
    #expect(!FileManager.default.fileExists(atPath: path))
    let client = try server.client()
    let hero = try client.createHero("Luna")
    #expect(try client.send("POST", "/api/heroes/\(hero.id)/avatar").status == 200)
    #expect(FileManager.default.fileExists(atPath: path))
    server.server.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
