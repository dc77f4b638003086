import JSONText
import StoryLibrary
import StoryServer
import TestSupport

@testable import StoryAPI

/// A bucket of a Kinto that no other test has, and another program's hand in it.
final class KintoBucket: Sendable {
  let relay: KintoRelay
  let name = KintoServer.newName("b")

  init(_ nodes: [KintoServer]) throws { relay = try KintoRelay(nodes) }

  var path: String { "/v1/buckets/\(name)" }

  /// The path of the records of a kind, by the name that it has on the wire of embedded servers.
  func path(_ kind: String) -> String { "\(path)/collections/\(Self.collection(kind))/records" }

  private static func collection(_ kind: String) -> String {
    EntityKind.writable.first { $0.schema.wirePath == kind }?.rawValue ?? kind
  }

  /// Sends a request past the log and the faults.
  func send(
    _ method: HTTPMethod, _ target: String, _ body: JSONValue? = nil,
    headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) throws -> (status: Int, headers: HTTPHeaders, value: JSONValue) {
    var headers = headers
    headers["Authorization"] = KintoServer.authorization(KintoServer.user, KintoServer.password)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try relay.answer(method, target, headers, body?.compactBytes ?? [])
    } catch {
      throw Unexpected("\(method.rawValue) \(target): \(error)")
    }
    let value = (try? JSONValue(parsing: response.body)) ?? .null
    // Somebody wrote in the same millisecond, such as another test that made a bucket: nothing was done.
    let answers = [value] + (value["responses"]?.array ?? []).map { $0["body"] ?? .null }
    if answers.contains(where: { $0["errno"] == 122 }) {
      return try send(method, target, body, headers: headers)
    }
    return (response.status, response.headers, value)
  }

  /// The live records of a kind, as embedded servers write them, the latest change last.
  func live(_ kind: RecordKind) throws -> [(id: String, value: JSONValue)] {
    var records: [(id: String, value: JSONValue)] = []
    var target: String? = path(kind.rawValue) + "?_sort=last_modified"
    while let next = target {
      let (status, headers, value) = try send(.get, next)
      // Nobody has made it yet.
      if status == 403 || status == 404 { return [] }
      guard status == 200 else { throw Unexpected("the list answered \(status)") }
      for record in value["data"]?.array ?? [] {
        let canonical = KintoForm.canonical(record.object ?? JSONObject())
        records.append((record["id"]?.string ?? "", .object(canonical)))
      }
      target = headers["Next-Page"].flatMap { url in
        url.firstRange(of: "/v1/").map { String(url[$0.lowerBound...]) }
      }
    }
    return records
  }

  /// Makes what the first record of each kind would have a library make.
  func makeCollections() throws {
    let collections = EntityKind.writable.map { "\(path)/collections/\($0.rawValue)" }
    for target in [path] + collections {
      let (status, _, _) = try send(
        .put, target, headers: ["Content-Type": "application/json", "If-None-Match": "*"])
      guard status == 201 || status == 412 else { throw Unexpected("\(target) answered \(status)") }
    }
  }

  /// Makes all collections with these records in them, whose versions are kept, in one request.
  func fill(_ records: [ImportedRecord]) throws {
    let collections = EntityKind.writable.map { "\(path)/collections/\($0.rawValue)" }
    var requests = ([path] + collections).map { path -> JSONValue in
      ["method": "PUT", "path": .string(path)]
    }
    for record in records {
      var data = try JSONValue(parsing: record.json).object ?? JSONObject()
      data["last_modified"] = KintoForm.milliseconds(record.updatedAt).map {
        .number(JSONNumber($0))
      }
      requests.append([
        "method": "PUT", "path": .string("\(path(record.kind.rawValue))/\(record.id)"),
        "body": ["data": .object(data)],
      ])
    }
    let answers = try send(.post, "/v1/batch", ["requests": .array(requests)]).value["responses"]
    guard answers?.array?.allSatisfy({ $0["status"] == 201 }) == true else {
      throw Unexpected("the batch answered \(answers ?? .null)")
    }
  }

  func create(_ kind: String, _ body: JSONValue) throws {
    var status = try send(.post, path(kind), ["data": body]).status
    if status == 403 || status == 404 {
      try makeCollections()
      status = try send(.post, path(kind), ["data": body]).status
    }
    guard status == 201 else { throw Unexpected("the create answered \(status)") }
  }

  func patch(_ kind: String, _ id: String, _ body: JSONValue) throws {
    let (status, _, _) = try send(
      .patch, "\(path(kind))/\(id)", ["data": body],
      headers: ["Content-Type": "application/merge-patch+json"])
    guard status == 200 else { throw Unexpected("PATCH answered \(status)") }
  }

  func delete(_ kind: String, _ id: String) throws {
    let (status, _, _) = try send(.delete, "\(path(kind))/\(id)")
    guard status == 200 else { throw Unexpected("DELETE answered \(status)") }
  }
}
