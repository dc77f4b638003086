import JSONText
import StoryLibrary
import StoryServer
import TestSupport

@testable import stories

/// A server on a loopback port of its own, with an account.
final class TestServer: Sendable {
  let server: StoryServer
  /// The form of the contract that it speaks.
  let api: ServerAPI
  /// Its address, also when it is stopped.
  let url: String
  private let gone = Box<RefusingPort?>(nil)
  static let email = "parent@example.org"
  static let password = "correct horse"

  /// A server that has these records already.
  init(
    _ records: [ImportedRecord] = [], _ change: (inout ServerOptions) -> Void = { _ in }
  ) throws {
    var options = ServerOptions(dataFolder: nil)
    options.passwordCost = 1
    options.requestLogSize = 1_000
    options.limits = .patient
    change(&options)
    api = options.api
    server = try StoryServer(options: options)
    if !records.isEmpty { _ = try server.replaceRecords(of: Self.email, with: records) }
    try server.start()
    url = server.url
  }

  deinit { server.stop() }

  /// Stops it for good: its address is nobody else's.
  func stop() throws {
    let port = server.port
    server.stop()
    gone.value = try RefusingPort(port)
  }

  /// What stands in front of `/heroes` and the like.
  var base: String { api == .v0 ? "/api" : "/api/v1" }

  /// A token for the account, which is made where it is missing.
  func token() throws -> String { try server.issueToken(email: Self.email).token }

  /// The account's live records of a kind, by name or title, in order.
  func names(_ kind: RecordKind) throws -> [String] {
    try server.records(kind, of: Self.email).filter { !$0.isDeleted }
      .map { $0.value?["name"]?.string ?? $0.value?["title"]?.string ?? $0.id }.sorted()
  }

  /// The live record of that name or title.
  func record(_ kind: RecordKind, _ name: String) throws -> JSONValue? {
    try server.records(kind, of: Self.email).filter { !$0.isDeleted }.compactMap(\.value)
      .first { $0["name"]?.string == name || $0["title"]?.string == name }
  }

  /// Changes a record as somebody else would.
  func patch(_ kind: String, _ id: String, _ body: JSONValue) throws {
    let answer = try server.perform(
      "PATCH", "\(base)/\(kind)/\(id)", body: body, as: Self.email)
    guard answer.status == 200 else { throw PatchFailure(status: answer.status) }
  }

  struct PatchFailure: Error { var status: Int }

  /// The methods of the requests since the last call.
  func takeMethods() -> [String] {
    defer { server.clearRequestLog() }
    return server.requestLog.map(\.method)
  }

  /// A library that syncs with this server, and the environment that lets it in.
  func library(in folder: TemporaryFolder, _ name: String) throws -> CommandSetting {
    _ = try Library.create(
      at: folder.path(name),
      configuration: LibraryConfiguration(
        server: .url(url), api: LibraryConfiguration.API(rawValue: api.rawValue) ?? .auto))
    var setting = CommandSetting(folder.path(name))
    setting.environment = ["STORIES_SERVER": url, "STORIES_TOKEN": try token()]
    return setting
  }
}
