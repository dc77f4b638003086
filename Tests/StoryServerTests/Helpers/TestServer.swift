import Foundation
import JSONText
import TestSupport
import Testing

@testable import StoryServer

/// A running server with a clock of its own, and a client with an account on it.
final class TestServer: Sendable {
  let server: StoryServer
  let clock: ManualClock
  let folder: TemporaryFolder?

  /// The account of ``client(email:)`` unless another is named.
  static let email = "ann@example.org"

  /// Starts a server; without a folder it keeps its data for itself.
  init(
    folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(),
    _ configure: (inout ServerOptions) -> Void = { _ in }
  ) throws {
    self.clock = clock
    self.folder = folder
    var options = ServerOptions(dataFolder: folder.map { $0.path + "/data" })
    options.clock = { clock.now }
    options.passwordCost = 1
    options.durability = .write
    options.requestLogSize = 1000
    options.limits = .patient
    configure(&options)
    server = try StoryServer(options: options)
    try server.start()
  }

  deinit { server.stop() }

  /// Whether it is busy with no request, nor with an answer that is taken slowly.
  var isIdle: Bool { server.http.connections.areAllIdle }

  /// Waits until the server has noticed that it has answered every request.
  func settle() { while !isIdle { sched_yield() } }

  /// A client with a token for an account, which is made where it is missing.
  func client(email: String = TestServer.email) throws -> TestClient {
    TestClient(
      connection: try RawClient(port: server.port), token: try server.issueToken(email: email).token
    )
  }

  /// A client that is not signed in, from another address of this machine where one is named.
  func stranger(from source: String? = nil) throws -> TestClient {
    TestClient(connection: try RawClient(port: server.port, from: source), token: nil)
  }
}

/// Sends well-formed requests over one connection.
final class TestClient {
  let connection: RawClient
  var token: String?

  init(connection: RawClient, token: String?) {
    self.connection = connection
    self.token = token
  }

  @discardableResult
  func send(
    _ method: String, _ target: String, _ body: JSONValue? = nil, headers: [String: String] = [:]
  ) throws -> RawResponse {
    connection.send(request(method, target, body, headers: headers))
    return try connection.receive(toHead: method == "HEAD")
  }

  /// The bytes of a request.
  func request(
    _ method: String, _ target: String, _ body: JSONValue? = nil, headers: [String: String] = [:]
  ) -> String {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    if let token { text += "Authorization: Bearer \(token)\r\n" }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
    if let body {
      let content = body.compactText
      text += "Content-Type: application/json\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
      return text + content
    }
    return text + "\r\n"
  }

  // MARK: Shortcuts

  static func hero(_ name: String, age: Int = 7) -> JSONValue {
    ["name": .string(name), "age": .number(JSONNumber(age)), "traits": ["brave"]]
  }

  static func story(_ title: String, hero: String, content: String = "Once.") -> JSONValue {
    ["title": .string(title), "heroId": .string(hero), "content": .string(content)]
  }

  /// Creates a hero and returns it.
  func createHero(_ name: String, headers: [String: String] = [:]) throws -> JSONValue {
    let response = try send("POST", "/api/heroes", Self.hero(name), headers: headers)
    #expect(response.status == 201)
    return try #require(response.data)
  }

  /// Creates a story and returns it.
  func createStory(_ title: String, hero: String) throws -> JSONValue {
    let response = try send("POST", "/api/stories", Self.story(title, hero: hero))
    #expect(response.status == 201)
    return try #require(response.data)
  }
}

extension JSONValue {
  /// The record's id; an empty text where it has none.
  var id: String { self["id"]?.string ?? "" }
  /// The record's version; an empty text where it has none.
  var updatedAt: String { self["updatedAt"]?.string ?? "" }
}

/// A number from its literal, where `JSONValue` has no literal for it.
func number(_ literal: String) -> JSONValue {
  JSONNumber(literal: literal).map { .number($0) } ?? .null
}
