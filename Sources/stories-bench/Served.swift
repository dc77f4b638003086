import Foundation
import JSONText
import StoryAPI
import StoryLibrary

/// A `stories serve` process with an empty data folder, and the requests of a sync without the
/// sync: only this project's transport.
final class Served {
  let url: String
  private let process: TimedProcess
  private let transport = URLSessionTransport()

  init(_ bench: Bench) throws {
    process = try TimedProcess(
      [bench.program, "serve", "--port", "0", "--data", bench.newFolder("served")],
      environment: bench.environment)
    let line = try process.firstLine()
    guard line.hasPrefix("http://") else {
      throw BenchError("stories serve did not start: \(line)")
    }
    url = line
  }

  func end() { process.end() }

  /// Creates a library of new records with its own account.
  func library(_ bench: Bench, _ sample: SampleLibrary) throws -> String {
    let root = bench.newFolder("library")
    try sample.write(to: root, server: url)
    try bench.stories(
      root, "sign-up", "--email", "\(Path.name(root))@example.org", "--password-stdin",
      input: "a long password\n")
    try RawFiles.flush(root)
    return root
  }

  /// Signs in or up with the account of a library and returns the token.
  func token(_ library: String, signUp: Bool = false) async throws -> String {
    let answer = try await answer(
      request(
        .post, "/api/auth/sign-\(signUp ? "up" : "in")", token: nil,
        [
          "email": .string("\(Path.name(library))@example.org"), "password": "a long password",
        ]))
    guard let token = answer["data"]?["session"]?["token"]?.string else {
      throw BenchError("no session: \(answer)")
    }
    return token
  }

  func request(
    _ method: HTTPMethod, _ path: String, token: String?, _ body: JSONValue? = nil
  ) -> HTTPRequest {
    var headers: HTTPHeaders = ["Accept": "application/json", "Content-Type": "application/json"]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return HTTPRequest(
      method: method, url: url + path, headers: headers, body: body?.compactBytes ?? [])
  }

  @discardableResult
  func answer(_ request: HTTPRequest) async throws -> JSONValue {
    let response = try await transport.send(request)
    guard (200..<300).contains(response.status) else {
      throw BenchError("\(request.url) answered \(response.status)")
    }
    return try JSONValue(parsing: response.body)
  }

  /// Sends the batches of a push of the sample, with an account of its own.
  func pushBare(_ bench: Bench, _ sample: SampleLibrary) async throws -> Double {
    let token = try await token(bench.newFolder("bare"), signUp: true)
    var ids: [String: JSONValue] = [:]
    var total = 0.0
    for kind in EntityKind.writable {
      let records = sample.records.filter { $0.ref.kind == kind }
      for start in stride(from: 0, to: records.count, by: 100) {
        let part = records[start..<min(start + 100, records.count)]
        let operations = part.map { record -> JSONValue in
          var data = record.wire
          for key in ["heroId", "customEventId"] {
            if let id = data[key]?.string { data[key] = ids[id] }
          }
          return [
            "method": "create", "kind": .string(kind.schema.wirePath),
            "idempotencyKey": .string(record.id), "data": .object(data),
          ]
        }
        let request = request(.post, "/api/batch", token: token, ["operations": .array(operations)])
        var results: [JSONValue] = []
        total += try await seconds {
          results = try await answer(request)["data"]?["results"]?.array ?? []
        }
        for (record, result) in zip(part, results) { ids[record.id] = result["data"]?["id"] }
      }
    }
    return total
  }

  /// Fetches and parses all pages of a library's account.
  func pullBare(_ library: String) async throws -> Double {
    let token = try await token(library)
    return try await seconds {
      for kind in EntityKind.writable {
        let path = "/api/\(kind.schema.wirePath)?limit=100&includeDeleted=true"
        var cursor = ""
        while let next = try await answer(request(.get, path + cursor, token: token))[
          "pagination"]?["next"]?.string
        { cursor = "&cursor=\(next)" }
      }
    }
  }
}
