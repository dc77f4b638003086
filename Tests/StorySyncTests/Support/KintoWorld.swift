import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import TestSupport

@testable import StorySync

/// A bucket of a real Kinto and some libraries that sync with it.
final class KintoWorld: ServedWorld {
  private let temporary: TemporaryFolder
  let server: KintoServer
  /// The bucket's address.
  let url: String
  /// Carries the requests of libraries where nothing else is said.
  let transport: any Transport
  let identity: LibraryConfiguration.Identity

  /// - Parameters:
  ///   - server: the one that most tests share if none is named.
  ///   - url: the bucket's address; a new one if none is named.
  ///   - transport: gets what carries requests, and gives what does so in this world.
  init(
    _ server: KintoServer? = nil, url: String? = nil,
    transport: (any Transport) -> any Transport = { $0 }
  ) throws {
    temporary = try TemporaryFolder(inMemory: true)
    let server = try server ?? KintoServer.shared()
    self.server = server
    let address = url ?? server.newBucket()
    self.url = address
    let port = try ServerAddress(address).port
    self.transport = transport(SocketTransport(port: port))
    identity = .init(server: address, account: "account:\(KintoServer.user)")
  }

  func client(transport: (any Transport)?) throws -> APIClient {
    APIClient(
      server: try ServerAddress(url), transport: transport ?? self.transport,
      configuration: .init(dialect: .kinto, time: .unwaiting),
      session: Session(name: KintoServer.user, password: Secret(KintoServer.password)))
  }

  func library(_ name: String) throws -> TestLibrary {
    let library = try Library.create(
      at: Path.join(temporary.path, name),
      configuration: LibraryConfiguration(server: .url(url), api: .kinto))
    return TestLibrary(root: library.root, world: self)
  }

  /// The path of a kind's records, from the API on.
  func path(_ kind: EntityKind) throws -> String {
    String(try ServerAddress(url).path.dropFirst(3)) + "/collections/\(kind.rawValue)/records"
  }

  /// The live records of a kind on the server, by name or title.
  func records(_ kind: EntityKind) async throws -> [String: JSONValue] {
    let answer = try await server.send(.get, try path(kind))
    var records: [String: JSONValue] = [:]
    for record in answer.value["data"]?.array ?? [] {
      records[(record["name"] ?? record["title"])?.string ?? ""] = record
    }
    return records
  }

  /// Changes a record as another client would.
  func patch(_ kind: EntityKind, _ name: String, _ members: JSONValue) async throws {
    let id = try await id(kind, name)
    let answer = try await server.send(.patch, "\(try path(kind))/\(id)", ["data": members])
    guard answer.status == 200 else { throw Unexpected("PATCH answered \(answer.status)") }
  }

  /// Deletes a record as another client would.
  func delete(_ kind: EntityKind, _ name: String) async throws {
    let answer = try await server.send(.delete, "\(try path(kind))/\(id(kind, name))")
    guard answer.status == 200 else { throw Unexpected("DELETE answered \(answer.status)") }
  }

  private func id(_ kind: EntityKind, _ name: String) async throws -> String {
    guard let id = try await records(kind)[name]?["id"]?.string else {
      throw Unexpected("no \(name) on the server")
    }
    return id
  }
}
