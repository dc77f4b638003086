import Foundation
import JSONText
import StoryAPI
import StoryLibrary

/// A server in a process of its own: `stories serve` with an empty data folder.
final class Served {
  let url: String
  let process: TimedProcess
  let transport = URLSessionTransport()

  /// Starts a server and waits until it tells its URL.
  init(_ bench: Bench) throws {
    process = try TimedProcess(
      [bench.program, "serve", "--port", "0", "--data", bench.newFolder("served")],
      environment: bench.environment)
    var line = ""
    for _ in 0..<2_000 where line.isEmpty {
      Thread.sleep(forTimeInterval: 0.005)
      let text = String(decoding: process.written, as: UTF8.self)
      line = text.split(separator: "\n").first { $0.hasPrefix("http://") }.map { String($0) } ?? ""
    }
    guard !line.isEmpty else {
      throw BenchOptions.Problem(description: "`stories serve` did not start")
    }
    url = line
  }

  /// Ends it.
  func end() { process.end() }

  /// Signs a library up for an account of its own.
  func signUp(_ bench: Bench, _ root: String) throws {
    try bench.stories(
      root, "sign-up", "--email", "\(Path.name(root))@example.org", "--password-stdin",
      input: "a long password\n")
  }

  /// A client without a client: the transport and a token of an account of its own.
  func bare(_ name: String) async throws -> BareClient {
    let body: JSONValue = [
      "email": .string("\(name)@example.org"), "password": "a long password", "name": "Bare",
    ]
    let client = BareClient(url: url, transport: transport, token: "")
    let answer = try await client.send(.post, "/api/auth/sign-up", body.compactBytes)
    let token = answer["data"]?["session"]?["token"]?.string ?? ""
    return BareClient(url: url, transport: transport, token: token)
  }
}

/// Requests as the program sends them, and nothing around them.
struct BareClient: Sendable {
  var url: String
  var transport: URLSessionTransport
  var token: String

  func request(_ method: HTTPMethod, _ path: String, _ body: [UInt8] = []) -> HTTPRequest {
    var headers: HTTPHeaders = [
      "Accept": "application/json", "User-Agent": "stories-bench",
    ]
    if !token.isEmpty { headers["Authorization"] = "Bearer \(token)" }
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    return HTTPRequest(method: method, url: url + path, headers: headers, body: body)
  }

  /// Sends a request and parses what comes back.
  func send(_ method: HTTPMethod, _ path: String, _ body: [UInt8] = []) async throws -> JSONValue {
    let response = try await transport.send(request(method, path, body))
    guard (200..<300).contains(response.status) else {
      throw BenchOptions.Problem(
        description: "\(method.rawValue) \(path) answered \(response.status): "
          + String(decoding: response.body.prefix(200), as: UTF8.self))
    }
    return try JSONValue(parsing: response.body)
  }

  /// Sends requests, so many at a time, and returns the bodies of the answers.
  func sendAll(_ requests: [HTTPRequest], width: Int = 1) async throws -> [[UInt8]] {
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      var bodies = [[UInt8]](repeating: [], count: requests.count)
      var next = 0
      func start() {
        guard next < requests.count else { return }
        let (number, request) = (next, requests[next])
        next += 1
        group.addTask { [transport] in
          let response = try await transport.send(request)
          guard (200..<300).contains(response.status) else {
            throw BenchOptions.Problem(description: "\(request) answered \(response.status)")
          }
          return (number, response.body)
        }
      }
      for _ in 0..<width { start() }
      while let (number, body) = try await group.next() {
        bodies[number] = body
        start()
      }
      return bodies
    }
  }

  // MARK: The requests of a push

  /// The records that a push of so many would create, as the members of a create; what they name is
  /// one hero and one event that are made for it.
  func creates(_ count: Int) async throws -> [(kind: EntityKind, data: JSONObject)] {
    let hero = try await send(
      .post, "/api/heroes", Array(#"{"name":"Bare","age":7,"traits":["plain"]}"#.utf8))
    let event = try await send(
      .post, "/api/custom-events", Array(#"{"title":"Bare","promptSeed":"plain"}"#.utf8))
    var creates: [(kind: EntityKind, data: JSONObject)] = []
    var tale = Tale()
    tale.records(count) { record, _ in
      var data = record.fields.wire
      if data["heroId"] != nil { data["heroId"] = hero["data"]?["id"] }
      if data["customEventId"] != nil { data["customEventId"] = event["data"]?["id"] }
      creates.append((record.ref.kind, data))
    }
    return creates
  }

  /// The batches of a push, up to 100 records of a kind in each.
  func batches(_ creates: [(kind: EntityKind, data: JSONObject)]) -> [HTTPRequest] {
    var requests: [HTTPRequest] = []
    var operations: [JSONValue] = []
    func close() {
      guard !operations.isEmpty else { return }
      let body: JSONValue = ["operations": .array(operations)]
      requests.append(request(.post, "/api/batch", body.compactBytes))
      operations = []
    }
    for (place, create) in creates.enumerated() {
      if operations.count == 100 || place > 0 && creates[place - 1].kind != create.kind { close() }
      operations.append([
        "method": "create", "kind": .string(create.kind.schema.wirePath),
        "idempotencyKey": .string(Self.key(place)), "data": .object(create.data),
      ])
    }
    close()
    return requests
  }

  /// One request for each record.
  func singles(_ creates: [(kind: EntityKind, data: JSONObject)]) -> [HTTPRequest] {
    creates.enumerated().map { place, create in
      var message = request(
        .post, "/api/\(create.kind.schema.wirePath)", JSONValue.object(create.data).compactBytes)
      message.headers["Idempotency-Key"] = Self.key(place)
      return message
    }
  }

  private static func key(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "bare" + String(repeating: "0", count: 28 - digits.count) + digits
  }

  // MARK: The requests of a pull

  /// The pages of all records, by the cursors that the server gives.
  func pages() async throws -> [HTTPRequest] {
    var requests: [HTTPRequest] = []
    for kind in EntityKind.writable {
      var path = "/api/\(kind.schema.wirePath)?limit=100&includeDeleted=true"
      while true {
        requests.append(request(.get, path))
        let answer = try await send(.get, path)
        guard let next = answer["pagination"]?["next"]?.string else { break }
        path = "/api/\(kind.schema.wirePath)?limit=100&includeDeleted=true&cursor=\(next)"
      }
    }
    return requests
  }
}
