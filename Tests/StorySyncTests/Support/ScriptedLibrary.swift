import JSONText
import StoryAPI
import StoryLibrary
import StorySync
import Synchronization
import TestSupport

@testable import stories

/// A library with a server that answers as a test says, and clocks that step instead of waiting.
final class ScriptedLibrary: Sendable {
  private let folder: TemporaryFolder
  let root: String
  let server: ScriptedServer
  let clock = SteppingClock()
  let dialect: Dialect
  let retries: RetryPolicy

  init(
    dialect: Dialect = .v0, retries: RetryPolicy = RetryPolicy(),
    _ script: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Reply
  ) throws {
    self.dialect = dialect
    self.retries = retries
    server = try ScriptedServer(script)
    folder = try TemporaryFolder()
    root = folder.path("library")
    let library = try Library.create(
      at: root, configuration: LibraryConfiguration(server: .url(server.url), api: .v0))
    let identity: JSONValue = ["server": .string(server.url), "account": "u"]
    _ = try library.saving(library.configuration.setting("synced", to: identity))
  }

  var library: Library { get throws { try Library(root: root) } }

  func client() throws -> APIClient {
    var configuration = ClientConfiguration(dialect: dialect, time: clock.source)
    configuration.retryPolicy = retries
    configuration.random = { 0.5 }
    return APIClient(
      server: try ServerAddress(server.url), configuration: configuration,
      session: Session(
        token: Secret("secret-token"), user: User(id: "u", email: "parent@example.org")))
  }

  func repositories() throws -> Repositories {
    Repositories(try library, time: clock.source) { [self] _ in
      Connection(client: try client(), identity: .init(server: server.url, account: "u"))
    }
  }

  /// Writes a record that the server has, with its sidecar.
  func add(_ ref: String, id: String, _ fields: JSONObject, server: JSONObject = [:]) throws {
    guard let ref = RecordRef(ref) else { throw Unexpected("\(ref) is no ref") }
    var wire = fields
    for member in server.members { wire[member.key] = member.value }
    wire["id"] = .string(id)
    wire["updatedAt"] = "2026-11-20T10:00:00.000Z"
    let record = try RemoteRecord(kind: ref.kind, wire: wire)
    var references = ReferenceTable()
    references.add(RecordRef(kind: .heroes, name: "luna"), id: "h1")
    let sidecar = Sidecar(record, refs: RecordFile.refs(of: record.fields, references: references))
    try write(ref.path, RecordFile.newFile(record.fields, references: references))
    try write(ref.sidecarPath, sidecar.fileBytes)
  }

  /// Luna, whom the server knows as `h1`.
  func addLuna(avatar: String? = nil) throws {
    var server = JSONObject()
    if let avatar { server["avatarUrl"] = .string(avatar) }
    try add(
      "heroes/luna", id: "h1", ["name": "Luna", "age": 7, "traits": ["brave"]], server: server)
  }

  /// The First Snow, which the server knows as `s1`.
  func addSnow(_ server: JSONObject = [:]) throws {
    try add(
      "stories/snow", id: "s1",
      ["title": "Snow", "heroId": "h1", "content": "It came.", "language": "en"], server: server)
  }

  func path(_ relative: String) -> String { Path.join(root, relative) }

  func write(_ relative: String, _ bytes: [UInt8]) throws {
    try FileSystem.makeFolder(Path.parent(path(relative)))
    try AtomicFile.write(bytes, to: path(relative))
  }

  func read(_ relative: String) throws -> String {
    String(decoding: try FileSystem.read(path(relative)), as: UTF8.self)
  }

  func sidecar(_ ref: String) throws -> Sidecar {
    guard let ref = RecordRef(ref) else { throw Unexpected("\(ref) is no ref") }
    return try Sidecar(bytes: FileSystem.read(path(ref.sidecarPath)), ref: ref)
  }

  /// The names of all files below a folder of the media store.
  func media(_ folder: String = "") throws -> [String] {
    var names: [String] = []
    func walk(_ inner: String) throws {
      let path = path(Path.join(".stories/media", inner))
      guard FileSystem.exists(path) else { return }
      for entry in try FileSystem.list(path) {
        let name = Path.join(inner, entry.name)
        if entry.type == .folder {
          try walk(name)
        } else if entry.name != "lock" {
          names.append(name)
        }
      }
    }
    try walk(folder)
    return names
  }
}
