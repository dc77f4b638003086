import StoryLibrary
import StoryServer

@testable import stories

/// A server on a loopback port of its own, with an account.
final class TestServer: Sendable {
  let server: StoryServer
  /// Its address, also when it is stopped.
  let url: String
  static let email = "parent@example.org"
  static let password = "correct horse"

  /// A server that has these records already.
  init(
    _ records: [ImportedRecord] = [], _ change: (inout ServerOptions) -> Void = { _ in }
  ) throws {
    var options = ServerOptions(dataFolder: nil)
    options.passwordCost = 1
    options.requestLogSize = 1_000
    change(&options)
    server = try StoryServer(options: options)
    if !records.isEmpty { _ = try server.replaceRecords(of: Self.email, with: records) }
    try server.start()
    url = server.url
  }

  deinit { server.stop() }

  /// A token for the account, which is made where it is missing.
  func token() throws -> String { try server.issueToken(email: Self.email).token }

  /// A library that syncs with this server, and the environment that lets it in.
  func library(in folder: TemporaryFolder, _ name: String) throws -> CommandSetting {
    _ = try Library.create(
      at: folder.path(name), configuration: LibraryConfiguration(server: .url(url), api: .v0))
    var setting = CommandSetting(folder.path(name))
    setting.environment = ["STORIES_SERVER": url, "STORIES_TOKEN": try token()]
    return setting
  }
}
