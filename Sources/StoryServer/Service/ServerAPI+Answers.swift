import JSONText

extension ServerAPI {
  // MARK: Records

  private static let mediaMembers = ["avatarUrl", "audioUrl", "imageUrl"]

  /// Converts a record from its stored form, which is that of `v0`, to the form shown to clients.
  func shown(_ record: [UInt8], of kind: RecordKind, _ media: MediaLinks) -> [UInt8] {
    guard self == .v1, case .object(let object)? = try? JSONValue(parsing: record) else {
      return record
    }
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

  /// Returns the answer with one record or other object, given as JSON.
  func record(_ data: [UInt8]) -> [UInt8] {
    Self.object(
      [("data", data)] + (self == .v1 ? [("message", Array("\"Success\"".utf8))] : []))
  }

  /// Returns an object whose values are JSON already.
  private static func object(_ members: [(name: String, json: [UInt8])]) -> [UInt8] {
    var object = JSONObjectWriter(reserving: members.reduce(64) { $0 + $1.json.count })
    for (name, json) in members { object.append(name, written: json[...]) }
    return object.finish()
  }

  /// Returns an array whose elements are JSON already.
  static func array(_ elements: [[UInt8]]) -> [UInt8] {
    var text = [UInt8(ascii: "[")]
    text.reserveCapacity(elements.reduce(2) { $0 + $1.count + 1 })
    for element in elements {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += element
    }
    return text + [UInt8(ascii: "]")]
  }

  /// Returns the answer with a page of records of a kind, of which the account has `all`.
  func list(
    _ records: [[UInt8]], _ page: RecordCollection.Page, all: Int, of kind: RecordKind,
    query: ListQuery, hasCursor: Bool
  ) -> [UInt8] {
    var pagination: JSONObject = ["total": .number(page.total), "limit": .number(query.limit)]
    if self == .v0 { pagination["all"] = .number(all) }
    pagination["offset"] = .number(query.offset ?? 0)
    pagination["hasMore"] = .bool(page.hasMore)
    if hasCursor { pagination["next"] = .text(page.next?.text) }
    let key = self == .v0 ? "data" : kind == .customEvents ? "customEvents" : kind.rawValue
    let list = Self.object([
      (key, Self.array(records)), ("pagination", JSONValue.object(pagination).compactBytes),
    ])
    return self == .v0 ? list : Self.object([("data", list)])
  }

  /// Returns the answer to a batch, with results in the order of its operations. Only `v0` has
  /// such batches.
  func batch(_ results: [Result<Service.Outcome, APIFailure>]) -> [UInt8] {
    let parts = results.map { result in
      let (status, members) =
        switch result {
        case .success(let done): (done.status, [("data", done.data)])
        case .failure(let failure): (failure.status, Self.members(of: failure))
        }
      return Self.object([("status", JSONValue.number(status).compactBytes)] + members)
    }
    return Self.object([("data", Self.object([("results", Self.array(parts))]))])
  }

  typealias CreatedItem = (localID: String?, title: String?, id: Result<String, APIFailure>)

  /// Returns the answer to a batch of new records, in their order. Only `v1` has such batches.
  func creations(_ results: [CreatedItem]) -> [UInt8] {
    var (created, failed): ([JSONValue], [JSONValue]) = ([], [])
    for result in results {
      switch result.id {
      case .success(let id):
        created.append([
          "localId": .text(result.localID), "serverId": .string(id), "title": .text(result.title),
        ])
      case .failure(let failure):
        failed.append([
          "localId": .text(result.localID), "title": .text(result.title),
          "error": .string(Self.sentence(failure)),
        ])
      }
    }
    let answer: JSONValue = [
      "success": .bool(failed.isEmpty), "created": .number(created.count),
      "failed": .number(failed.count), "total": .number(results.count),
      "results": ["created": .array(created), "failed": .array(failed)],
    ]
    return answer.compactBytes
  }

  /// Returns the answer that describes the server.
  func health(version: String, features: Set<ServerFeature>, now: Int64) -> [UInt8] {
    var data: JSONObject = ["status": "healthy"]
    switch self {
    case .v0:
      data["version"] = .string(version)
      if !features.isEmpty {
        data["features"] = .array(
          ServerFeature.allCases.filter(features.contains).map { .string($0.rawValue) })
      }
      var limits: JSONObject = ["page": .number(ListQuery.maximumLimit)]
      if features.contains(.batch) { limits["batch"] = .number(Service.largestBatch) }
      data["limits"] = .object(limits)
    case .v1:
      data["timestamp"] = .string(Timestamp(milliseconds: now).text)
      data["database"] = "connected"
      data["version"] = .string(version)
    }
    return JSONValue.object(["data": .object(data)]).compactBytes
  }

  // MARK: Accounts

  func user(_ account: LogEntry.AccountEntry) -> [UInt8] {
    let user: JSONValue = [
      "id": .string(account.id), "email": .string(account.email), "name": .text(account.name),
      "createdAt": .string(account.createdAt),
    ]
    return user.compactBytes
  }

  /// Returns the answer to a sign-in, or to a sign-up if the account is new.
  func signedIn(_ session: IssuedSession, user: [UInt8], isNew: Bool) -> ServerResponse {
    switch self {
    case .v0:
      let data = Self.object([("user", user), ("session", Self.json(session))])
      return ServerResponse(isNew ? 201 : 200, headers: Service.noStore, body: record(data))
    case .v1:
      let token = JSONValue.string(session.token).compactBytes
      return ServerResponse(
        200, headers: [HTTPHeader("set-auth-token", session.token)] + Service.noStore,
        body: Self.object([("token", token), ("user", user)]))
    }
  }

  /// Returns the answer to a refresh. `v1` has no refresh tokens.
  func refreshed(_ session: IssuedSession) -> [UInt8] {
    record(Self.object([("session", Self.json(session))]))
  }

  private static func json(_ session: IssuedSession) -> [UInt8] {
    let value: JSONValue = [
      "token": .string(session.token), "refreshToken": .string(session.refreshToken),
      "expiresAt": .string(session.expiresAt),
    ]
    return value.compactBytes
  }

  /// Returns the answer to a request for the session of a token, which only `v1` has.
  func session(_ token: String, expiresAt: String, user: [UInt8]) -> [UInt8] {
    let session: JSONValue = ["token": .string(token), "expiresAt": .string(expiresAt)]
    return Self.object([("session", session.compactBytes), ("user", user)])
  }

  // MARK: Failures

  /// Returns the failure for a record that an account does not have. `v0` does not reveal that
  /// another account has it.
  ///
  /// - Parameter isForeign: Whether the record belongs to another account.
  func missing(_ kind: RecordKind, isForeign: Bool) -> APIFailure {
    self == .v1 && isForeign
      ? APIFailure(403, "forbidden", "This \(kind.noun) is not yours.") : .noSuchRecord(kind)
  }

  /// Returns the answer for a failure. `endpoint` is `nil` if it is not known.
  func failure(_ failure: APIFailure, at endpoint: Endpoint?) -> ServerResponse {
    guard self == .v1 else {
      return ServerResponse(
        failure.status, headers: failure.headers,
        body: Self.object(Self.members(of: failure)))
    }
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

  /// Returns `"error"` and, if there is one, the current record as `"data"`.
  private static func members(of failure: APIFailure) -> [(name: String, json: [UInt8])] {
    var error: JSONObject = ["code": .string(failure.code), "message": .string(failure.message)]
    if !failure.details.isEmpty {
      error["details"] = .object(
        JSONObject(failure.details.map { (key: $0.field, value: .string($0.message)) }))
    }
    return [("error", JSONValue.object(error).compactBytes)]
      + (failure.current.map { [("data", $0)] } ?? [])
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
}
