import JSONText

/// The dialect `v0`: everything under `/api`, answers in `data`, errors in `error`.
struct DialectV0: Dialect {
  func endpoint(_ segments: [String]) -> Endpoint? {
    guard segments.first == "api" else { return nil }
    let path = segments.dropFirst()
    switch Array(path) {
    case ["health"]: return .health
    case ["auth", "sign-up"]: return .signUp
    case ["auth", "sign-in"]: return .signIn
    case ["auth", "sign-out"]: return .signOut
    case ["auth", "session", "refresh"]: return .refresh
    case ["user", "profile"]: return .profile
    case ["user", "usage"]: return .usage
    case ["batch"]: return .batch
    case _ where path.first == "media": return MediaName(path.dropFirst()).map { .media($0) }
    default:
      guard let kind = path.first.flatMap(RecordKind.init(rawValue:)),
        RecordKind.written.contains(kind)
      else { return nil }
      return Self.endpoint(of: kind, Array(path.dropFirst()))
    }
  }

  /// Returns the endpoint for the rest of a path after the kind's own segment.
  static func endpoint(of kind: RecordKind, _ rest: [String]) -> Endpoint? {
    guard let id = rest.first else { return .collection(kind) }
    guard !id.isEmpty else { return nil }
    let record = RecordID(id)
    switch (kind, Array(rest.dropFirst())) {
    case (_, []): return .record(kind, record)
    case (.heroes, ["avatar"]): return .avatar(record)
    case (.stories, ["audio"]): return .audio(record)
    case (.stories, ["illustrations"]): return .illustrations(record)
    case (.stories, ["illustrations", "status"]): return .illustrationStatus(record)
    default: return nil
    }
  }

  /// Records are stored in the form of this dialect.
  func shown(_ record: [UInt8], of kind: RecordKind, _ media: MediaLinks) -> [UInt8] { record }

  var signsMedia: Bool { false }

  func features(_ wanted: Set<ServerFeature>) -> Set<ServerFeature> { wanted }
  func needsOrigin(_ endpoint: Endpoint) -> Bool { false }

  func query(
    _ parameters: [HTTPTarget.Parameter], of kind: RecordKind, features: Set<ServerFeature>
  ) throws(APIFailure) -> ListQuery {
    try ListQuery(parameters, of: kind, features: features)
  }

  var extendsSessions: Bool { false }
  var requiresName: Bool { false }
  var rules: RecordRules { .v0 }
  var writesEveryStory: Bool { false }

  func newID(_ random: () -> UInt64) -> String { IssuedSession.uuid(random) }

  /// Does not reveal that another account has the record.
  func missing(_ kind: RecordKind, isForeign: Bool) -> APIFailure { .noSuchRecord(kind) }

  func record(_ data: [UInt8]) -> [UInt8] { (["data": .written(data)] as JSONPart).bytes }

  func list(
    _ page: Store.Page, of kind: RecordKind, query: ListQuery, hasCursor: Bool
  ) -> [UInt8] {
    var pagination: [(name: String, part: JSONPart)] = [
      ("total", .number(page.total)), ("limit", .number(query.limit)), ("all", .number(page.all)),
      ("offset", .number(query.offset ?? 0)), ("hasMore", .value(.bool(page.hasMore))),
    ]
    if hasCursor { pagination.append(("next", .text(page.next?.text))) }
    let list: JSONPart = [
      "data": .array(page.records.map { .written($0) }), "pagination": .object(pagination),
    ]
    return list.bytes
  }

  func batch(_ results: [Result<RecordOperation.Outcome, APIFailure>]) -> [UInt8] {
    let parts = results.map { result -> JSONPart in
      switch result {
      case .success(let done): ["status": .number(done.status), "data": .written(done.data)]
      case .failure(let failure):
        .object([("status", .number(failure.status))] + Self.members(of: failure))
      }
    }
    return (["data": ["results": .array(parts)]] as JSONPart).bytes
  }

  /// Not used: in this dialect, new records are part of general batches.
  func creations(_ results: [CreatedItem]) -> [UInt8] { Array("[]".utf8) }

  func failure(_ failure: APIFailure, at endpoint: Endpoint?) -> ServerResponse {
    ServerResponse(
      failure.status, headers: failure.headers,
      body: JSONPart.object(Self.members(of: failure)).bytes)
  }

  /// Returns `"error"` and, if there is one, the current record as `"data"`.
  private static func members(of failure: APIFailure) -> [(name: String, part: JSONPart)] {
    var error: [(name: String, part: JSONPart)] = [
      ("code", .text(failure.code)), ("message", .text(failure.message)),
    ]
    if !failure.details.isEmpty {
      error.append(
        ("details", .object(failure.details.map { ($0.field, .text($0.message)) })))
    }
    let current = failure.current.map { [(name: "data", part: JSONPart.written($0))] }
    return [("error", .object(error))] + (current ?? [])
  }

  func health(version: String, features: Set<ServerFeature>, now: Int64) -> [UInt8] {
    var data: JSONObject = ["status": "healthy", "version": .string(version)]
    if !features.isEmpty {
      data["features"] = .array(
        ServerFeature.allCases.filter(features.contains).map { .string($0.rawValue) })
    }
    var limits: JSONObject = ["page": .number(JSONNumber(ListQuery.maximumLimit))]
    if features.contains(.batch) { limits["batch"] = .number(JSONNumber(Service.largestBatch)) }
    data["limits"] = .object(limits)
    return record(JSONValue.object(data).compactBytes)
  }

  func signedIn(_ session: IssuedSession, user: [UInt8], isNew: Bool) -> ServerResponse {
    let data: JSONPart = ["user": .written(user), "session": .value(Self.json(session))]
    return ServerResponse(isNew ? 201 : 200, body: record(data.bytes))
  }

  /// Not used: this dialect has no endpoint for the current session.
  func session(_ session: (token: String, expiresAt: String)?, user: [UInt8]) -> [UInt8] {
    Array("null".utf8)
  }

  func refreshed(_ session: IssuedSession) -> [UInt8] {
    record(JSONValue.object(["session": Self.json(session)]).compactBytes)
  }

  private static func json(_ session: IssuedSession) -> JSONValue {
    [
      "token": .string(session.token), "refreshToken": .string(session.refreshToken),
      "expiresAt": .string(session.expiresAt),
    ]
  }
}
