import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryAPI

/// What the third dialect makes of ids, versions and addresses.
@Suite struct KintoFormTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_795_433_481_869, "2026-11-23T11:31:21.869Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ]) func `a version is a date and back`(_ milliseconds: Int, _ revision: String) {
    #expect(KintoForm.revision(.number(JSONNumber(milliseconds))) == revision)
    #expect(KintoForm.revision(tag: "\"\(milliseconds)\"") == revision)
    #expect(KintoForm.milliseconds(revision) == milliseconds)
  }

  @Test(arguments: [-1, 253_402_300_800_000]) func `other numbers are no version`(_ number: Int) {
    #expect(KintoForm.revision(.number(JSONNumber(number))) == nil)
  }

  @Test(arguments: ["", "1", "\"\"", "\"x\"", "\"-1\"", "W/\"1\"", "*"])
  func `other tags are no version`(_ tag: String) { #expect(KintoForm.revision(tag: tag) == nil) }

  @Test func `a random key is a UUID`() {
    let key = "00112233445566778899aabbccddeeff"
    #expect(KintoForm.id(key: key) == "00112233-4455-4677-8899-aabbccddeeff")
    #expect(KintoForm.id(key: "again-0123") == "again-0123")
    #expect(!KintoForm.isRandom("again-0123") && KintoForm.isRandom(key))
    let ids = Set((0..<1_000).map { _ in KintoForm.id(key: RemoteWrite.makeKey()) })
    #expect(ids.count == 1_000 && ids.allSatisfy { $0.count == 36 })
  }

  @Test(arguments: [
    ("http://inner:8888/v1/buckets/b/collections/heroes/records?_limit=3&_token=eyJ%3D", "eyJ="),
    ("/records?_token=a%2Fb", "a/b"), ("?_token=", ""),
  ]) func `of the next page the token counts`(_ url: String, _ token: String) {
    #expect(KintoForm.token(nextPage: url) == token)
  }

  @Test(arguments: ["", "http://x/records", "?_limit=3", "?_token=%zz", "?_token=%FF"])
  func `a next page without token leads nowhere`(_ url: String) {
    #expect(KintoForm.token(nextPage: url) == nil)
  }

  @Test func `another member of that name is not the version`() {
    let object: JSONObject = ["updatedAt": "yesterday", "name": "Luna", "last_modified": 1_000]
    let canonical = KintoForm.canonical(object)
    #expect(canonical["updatedAt"] == "1970-01-01T00:00:01.000Z")
    #expect(canonical["last_modified"] == nil && canonical["name"] == "Luna")
  }

  struct Route: Sendable, CustomTestStringConvertible {
    var method: HTTPMethod
    var target: String
    var make: @Sendable () throws -> Endpoint
    var testDescription: String { "\(method.rawValue) \(target)" }
  }

  static func write(
    _ operation: RemoteWrite.Operation, id: String? = nil, revision: String? = nil,
    key: String = "k", body: JSONObject = [:]
  ) throws -> Endpoint {
    let write = RemoteWrite(
      operation: operation, kind: .heroes, id: id, revision: revision, idempotencyKey: key)
    return try .write(write, body: body, .kinto)
  }

  static let records = "/x/v1/buckets/family/collections"
  static let key = "00112233445566778899aabbccddeeff"
  static let routes: [Route] = [
    Route(method: .get, target: "/x/v1/") { .health(.kinto) },
    Route(
      method: .get,
      target: "\(records)/events/records?_sort=last_modified&_limit=7&_since=%220%22"
    ) { try .list(.events, PageRequest(limit: 7, includeDeleted: true), .kinto) },
    Route(
      method: .get,
      target: "\(records)/stories/records?_sort=last_modified&_limit=100&_since=%221500%22"
        + "&heroId=h&_token=t%3D"
    ) {
      try .list(
        .stories,
        PageRequest(
          cursor: "t=", updatedAfter: "1970-01-01T00:00:01.500Z", includeDeleted: true, heroID: "h"),
        .kinto)
    },
    Route(method: .head, target: "\(records)/heroes/records") { try .total(.heroes, .kinto) },
    Route(method: .get, target: "\(records)/heroes/records/a%2Fb") {
      try .record(.heroes, id: "a/b", .kinto)
    },
    Route(method: .put, target: "\(records)/heroes/records/00112233-4455-4677-8899-aabbccddeeff") {
      try write(.create, key: key)
    },
    Route(method: .patch, target: "\(records)/heroes/records/h") {
      try write(.update, id: "h")
    },
    Route(method: .delete, target: "\(records)/heroes/records/h") {
      try write(.delete, id: "h")
    },
    Route(method: .put, target: "\(records)/heroes") { .makeCollection(.heroes) },
    Route(method: .put, target: "/x/v1/buckets/family") { .makeBucket },
    Route(method: .put, target: "/x/v1/accounts/ann") {
      try .makeAccount(name: "ann", password: Secret("p"))
    },
    Route(method: .get, target: "/x/v1/") { .profile(.kinto) },
    Route(method: .get, target: "/x/v1/") { .signIn(email: "ann", password: Secret("p"), .kinto) },
  ]

  @Test(arguments: routes) func `every route, behind a proxy's path`(_ route: Route) throws {
    let server = try ServerAddress("https://host/x/v1/buckets/family")
    let endpoint = try route.make()
    #expect(endpoint.method == route.method)
    #expect(server.target(of: endpoint) == route.target)
  }

  @Test func `writes carry what they are based on`() throws {
    let update = try Self.write(
      .update, id: "h", revision: "1970-01-01T00:00:01.500Z", body: ["age": .null])
    #expect(update.revision == "1500" && update.contentType == "application/merge-patch+json")
    #expect(update.body == ["data": ["age": .null]] && update.idempotencyKey == nil)
    #expect(try Self.write(.create).knownTag == "*")
    #expect(throws: APIError.invalidIdentifier("soon")) {
      try Self.write(.delete, id: "h", revision: "soon")
    }
  }

  @Test(
    arguments: [
      (404, #"{"errno":110,"details":{"id":"x","resource_name":"record"}}"#, APIError.notFound),
      (
        404, #"{"errno":111,"details":{"id":"heroes","resource_name":"collection"}}"#,
        .noCollection(.heroes)
      ),
      (404, "{}", .notFound), (403, "{}", .lacksRight(AccessRight("write", .heroes))),
      (409, #"{"errno":122,"message":"retry"}"#, .server(status: 503, message: "retry")),
      (409, #"{"errno":1,"message":"no"}"#, .conflict(message: "no")),
      (
        400, #"{"message":"m","details":[{"name":"data.age","description":"wrong"}]}"#,
        .validation(message: "m", fields: [.init(field: "data.age", message: "wrong")])
      ),
      (
        412, #"{"details":{"existing":{"id":"h","last_modified":1}}}"#,
        .preconditionFailed(current: nil)
      ),
      (405, #"{"message":"m"}"#, .server(status: 405, message: "m")),
    ] as [(Int, String, APIError)])
  func `each refusal has its meaning`(_ status: Int, _ body: String, _ error: APIError) throws {
    let context = RefusalContext(request: "r", kind: .heroes, right: "write")
    let value = try JSONValue(parsing: Array(body.utf8))
    #expect(Dialect.kinto.error(status: status, body: value, context) == error)
  }

  @Test func `a server that makes nothing says so`() {
    #expect(throws: APIError.unsupported(.generation)) {
      try Endpoint.avatar(heroID: "h", prompt: nil, idempotencyKey: nil, .kinto)
    }
    #expect(throws: APIError.unsupported(.generation)) {
      try Endpoint.illustrations(storyID: "s", .kinto)
    }
    #expect(throws: APIError.unsupported(.generation)) { try Endpoint.usage(.kinto) }
  }
}
