import JSONText

/// The dialect `v1`: the contract of the deployed InfiniteStories service, which has no
/// preconditions, idempotency keys, tombstones or cursors.
struct DialectV1: Dialect {
  func endpoint(_ segments: [String]) -> Endpoint? {
    guard segments.first == "api" else { return nil }
    switch Array(segments.dropFirst()) {
    case ["auth", "sign-up", "email"]: return .signUp
    case ["auth", "sign-in", "email"]: return .signIn
    case ["auth", "get-session"]: return .session
    case ["auth", "sign-out"]: return .signOut
    case ["batch"]: return .creations(.heroes)
    case ["batch", "stories"]: return .creations(.stories)
    case ["v1", "health"]: return .health
    case ["v1", "user", "profile"]: return .profile
    case ["v1", "user", "usage"]: return .usage
    case let path where path.first == "media":
      return MediaName(path.dropFirst()).map { .media($0) }
    default: break
    }
    let path = segments.dropFirst(2)
    guard segments.dropFirst().first == "v1",
      let kind = path.first.flatMap(RecordKind.init(rawValue:)),
      RecordKind.written.contains(kind)
    else { return nil }
    let rest = Array(path.dropFirst())
    if kind == .stories, rest.count == 2, rest[1] == "play" { return .play(RecordID(rest[0])) }
    return DialectV0.endpoint(of: kind, rest)
  }

  func features(_ wanted: Set<ServerFeature>) -> Set<ServerFeature> { [] }

  func query(
    _ parameters: [HTTPTarget.Parameter], of kind: RecordKind, features: Set<ServerFeature>
  ) throws(APIFailure) -> ListQuery {
    var query = try ListQuery(parameters, of: kind, features: features)
    query.order = kind == .customEvents ? .favourites : .created
    query.isAfterExclusive = true
    if kind == .customEvents { query.updatedAfter = nil }
    return query
  }

  // MARK: Records

  var rules: RecordRules { .v1 }
  var writesEveryStory: Bool { true }
  var signsMedia: Bool { true }

  /// Returns an id like the service's (cuid): `c` followed by 24 digits and lowercase letters.
  func newID(_ random: () -> UInt64) -> String {
    var text = "c"
    while text.utf8.count < 25 {
      let part = String(random(), radix: 36)
      text += part.suffix(min(part.utf8.count, 25 - text.utf8.count))
    }
    return text
  }

  private static let mediaMembers = ["avatarUrl", "audioUrl", "imageUrl"]

  func shown(_ record: [UInt8], of kind: RecordKind, _ media: MediaLinks) -> [UInt8] {
    guard case .object(let object)? = try? JSONValue(parsing: record) else { return record }
    let members = object.members.map { member -> (key: String, value: JSONValue) in
      switch (member.key, member.value) {
      case ("specialAbility", let value) where kind == .heroes:
        return ("specialAbilities", Self.list(value))
      case (let key, .string(let path)) where Self.mediaMembers.contains(key):
        return (key, .string(path.hasPrefix("/") ? media.signed(path) : path))
      case (let key, let value): return (key, value)
      }
    }
    return JSONValue.object(JSONObject(members)).compactBytes
  }

  private static func list(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array: value
    case .null, "": []
    default: .array([value])
    }
  }

  // MARK: Answers

  func record(_ data: [UInt8]) -> [UInt8] {
    (["data": .written(data), "message": "Success"] as JSONPart).bytes
  }

  func list(
    _ page: Store.Page, of kind: RecordKind, query: ListQuery, hasCursor: Bool
  ) -> [UInt8] {
    let key = kind == .customEvents ? "customEvents" : kind.rawValue
    let list: JSONPart = [
      "data": .object([
        (key, .array(page.records.map { .written($0) })),
        (
          "pagination",
          [
            "total": .number(page.total), "limit": .number(query.limit),
            "offset": .number(query.offset ?? 0), "hasMore": .value(.bool(page.hasMore)),
          ]
        ),
      ])
    ]
    return list.bytes
  }

  func creations(_ results: [CreatedItem]) -> [UInt8] {
    func item(_ item: CreatedItem, _ last: JSONObject) -> JSONValue {
      var object: JSONObject = ["localId": item.localID.map { .string($0) } ?? JSONValue.null]
      for member in last.members { object[member.key] = member.value }
      return .object(object)
    }
    var (created, failed): ([JSONValue], [JSONValue]) = ([], [])
    for result in results {
      let title = result.title.map { JSONValue.string($0) } ?? JSONValue.null
      switch result.id {
      case .success(let id):
        created.append(item(result, ["serverId": .string(id), "title": title]))
      case .failure(let failure):
        failed.append(item(result, ["title": title, "error": .string(Self.sentence(failure))]))
      }
    }
    let answer: JSONValue = [
      "success": .bool(failed.isEmpty), "created": .number(JSONNumber(created.count)),
      "failed": .number(JSONNumber(failed.count)), "total": .number(JSONNumber(results.count)),
      "results": ["created": .array(created), "failed": .array(failed)],
    ]
    return answer.compactBytes
  }

  /// Not used: this dialect has no general batches.
  func batch(_ results: [Result<RecordOperation.Outcome, APIFailure>]) -> [UInt8] {
    Array("[]".utf8)
  }

  func health(version: String, features: Set<ServerFeature>, now: Int64) -> [UInt8] {
    let data: JSONValue = [
      "status": "healthy", "timestamp": .string(Timestamp(milliseconds: now).text),
      "database": "connected", "version": .string(version),
    ]
    return JSONValue.object(["data": data]).compactBytes
  }

  // MARK: Failures

  func missing(_ kind: RecordKind, isForeign: Bool) -> APIFailure {
    isForeign
      ? APIFailure(403, "forbidden", "This \(kind.noun) is not yours.") : .noSuchRecord(kind)
  }

  func failure(_ failure: APIFailure, at endpoint: Endpoint?) -> ServerResponse {
    let sentence = JSONValue.string(Self.sentence(failure))
    // The account library reports an address in use with 422.
    let status = failure.code == "emailInUse" ? 422 : failure.status
    var body: JSONObject
    switch endpoint {
    case .some(let endpoint) where endpoint.isAuthentication: body = ["message": sentence]
    case .creations: body = ["error": sentence]
    default:
      body = ["error": .string(Self.name(of: status)), "message": sentence]
      if !failure.details.isEmpty {
        body["details"] = .array(
          failure.details.map { ["path": [.string($0.field)], "message": .string($0.message)] })
      }
    }
    // The service sends no `Retry-After` for its own limits. Wrong passwords are limited only by
    // this server.
    let headers = failure.headers.filter {
      failure.code != "rateLimited" || $0.name != "Retry-After"
    }
    return ServerResponse(status, headers: headers, body: JSONValue.object(body).compactBytes)
  }

  /// Returns, for example, `age: must be from 3 to 12; traits: is missing`, or the failure's
  /// message.
  private static func sentence(_ failure: APIFailure) -> String {
    guard !failure.details.isEmpty else { return failure.message }
    return failure.details.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
  }

  private static func name(of status: Int) -> String {
    switch status {
    case 400: "ValidationError"
    case 401: "UnauthorizedError"
    case 403: "ForbiddenError"
    case 404: "NotFoundError"
    case 409: "ConflictError"
    case 429: "RateLimitError"
    case 500...: "InternalServerError"
    default: "RequestError"
    }
  }

  // MARK: Accounts

  func needsOrigin(_ endpoint: Endpoint) -> Bool { endpoint == .signIn || endpoint == .signUp }

  var extendsSessions: Bool { true }
  var requiresName: Bool { true }

  func signedIn(_ session: IssuedSession, user: [UInt8], isNew: Bool) -> ServerResponse {
    let body: JSONPart = ["token": .text(session.token), "user": .written(user)]
    return ServerResponse(
      200, headers: [HTTPHeader("set-auth-token", session.token)], body: body.bytes)
  }

  func session(_ session: (token: String, expiresAt: String)?, user: [UInt8]) -> [UInt8] {
    guard let session else { return Array("null".utf8) }
    let answer: JSONPart = [
      "session": ["token": .text(session.token), "expiresAt": .text(session.expiresAt)],
      "user": .written(user),
    ]
    return answer.bytes
  }

  /// Not used: this dialect has no refresh tokens.
  func refreshed(_ session: IssuedSession) -> [UInt8] { Array("null".utf8) }
}
