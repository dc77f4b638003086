import JSONText
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ProfileCommandTests {
  @Test func `whoami can give the account another name`() async throws {
    let server = try TestServer()
    let folder = try TemporaryFolder()
    let setting = try server.library(in: folder, "mine")
    let renamed = await setting.run("whoami", "--edit-name", "Max")
    #expect(renamed.code == .done)
    #expect(renamed.output == "Max <\(TestServer.email)> at \(server.url)\n")
    let asked = await setting.run("whoami", "--json")
    #expect(asked.json?["account"]?["name"] == "Max")
  }
}
