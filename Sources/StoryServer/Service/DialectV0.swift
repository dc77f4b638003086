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

  /// What the path behind a kind's own stands for.
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

  /// Records are stored as this dialect shows them.
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

  /// Nobody is told that another account has a record.
  func missing(_ kind: RecordKind, isForeign: Bool) -> APIFailure { .noSuchRecord(kind) }

  func record(_ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 16)
    bytes.append(text: "{\"data\":")
    bytes += data
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  func list(
    _ page: Store.Page, of kind: RecordKind, query: ListQuery, hasCursor: Bool
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(page.records.count + 200)
    bytes.append(text: "{\"data\":[")
    bytes += page.records
    bytes.append(text: "],\"pagination\":{\"total\":\(page.total),\"limit\":\(query.limit)")
    bytes.append(text: ",\"all\":\(page.all)")
    bytes.append(text: ",\"offset\":\(query.offset ?? 0),\"hasMore\":\(page.hasMore)")
    if hasCursor {
      bytes.append(text: ",\"next\":")
      bytes.append(jsonString: page.next?.text)
    }
    bytes.append(text: "}}")
    return bytes
  }

  func batch(_ results: [RecordOperation.Outcome]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      results.reduce(64) { size, result in
        switch result {
        case .done(let done): size + done.data.count + 32
        case .failed(let failure): size + (failure.current?.count ?? 0) + 256
        }
      })
    bytes.append(text: "{\"data\":{\"results\":[")
    for (place, result) in results.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      switch result {
      case .done(let done):
        bytes.append(text: "{\"status\":\(done.status),\"data\":")
        bytes += done.data
      case .failed(let failure):
        bytes.append(text: "{\"status\":\(failure.status)")
        appendError(failure, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(text: "]}}")
    return bytes
  }

  /// This dialect makes new records in batches of any writes.
  func creations(_ results: [CreatedItem]) -> [UInt8] { Array("[]".utf8) }

  func failure(_ failure: APIFailure, at endpoint: Endpoint?) -> HTTPResponse {
    var bytes: [UInt8] = []
    appendError(failure, to: &bytes)
    bytes[0] = UInt8(ascii: "{")
    bytes.append(UInt8(ascii: "}"))
    return HTTPResponse(failure.status, headers: failure.headers, body: bytes)
  }

  /// Appends `,"error":{…}` and, where there is one, the current record.
  private func appendError(_ failure: APIFailure, to bytes: inout [UInt8]) {
    bytes.append(text: ",\"error\":{\"code\":")
    bytes.append(jsonString: failure.code)
    bytes.append(text: ",\"message\":")
    bytes.append(jsonString: failure.message)
    if !failure.details.isEmpty {
      bytes.append(text: ",\"details\":{")
      for (place, detail) in failure.details.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(jsonString: detail.field)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(jsonString: detail.message)
      }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: "}"))
    if let current = failure.current {
      bytes.append(text: ",\"data\":")
      bytes += current
    }
  }

  func health(version: String, features: Set<ServerFeature>, now: Int64) -> [UInt8] {
    var bytes = Array("{\"status\":\"healthy\",\"version\":".utf8)
    bytes.append(jsonString: version)
    if !features.isEmpty {
      let names = ServerFeature.allCases.filter(features.contains).map { "\"\($0.rawValue)\"" }
      bytes.append(text: ",\"features\":[\(names.joined(separator: ","))]")
    }
    bytes.append(text: ",\"limits\":{\"page\":\(ListQuery.maximumLimit)")
    if features.contains(.batch) { bytes.append(text: ",\"batch\":\(Service.largestBatch)") }
    bytes.append(text: "}}")
    return record(bytes)
  }

  func user(_ account: LogEntry.AccountEntry) -> [UInt8] {
    var bytes = Array("{\"id\":".utf8)
    bytes.append(jsonString: account.id)
    bytes.append(text: ",\"email\":")
    bytes.append(jsonString: account.email)
    bytes.append(text: ",\"name\":")
    bytes.append(jsonString: account.name)
    bytes.append(text: ",\"createdAt\":")
    bytes.append(jsonString: account.createdAt)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  func signedIn(_ session: IssuedSession, user: [UInt8], isNew: Bool) -> HTTPResponse {
    let data = Array("{\"user\":".utf8) + user + Array(",\"session\":\(json(session))}".utf8)
    return HTTPResponse(isNew ? 201 : 200, body: record(data))
  }

  /// This dialect refreshes sessions instead of telling of them.
  func session(_ session: (token: String, expiresAt: String)?, user: [UInt8]) -> [UInt8] {
    Array("null".utf8)
  }

  func refreshed(_ session: IssuedSession) -> [UInt8] {
    record(Array("{\"session\":\(json(session))}".utf8))
  }

  /// Tokens and dates have nothing that would need an escape.
  private func json(_ session: IssuedSession) -> String {
    "{\"token\":\"\(session.token)\",\"refreshToken\":\"\(session.refreshToken)\","
      + "\"expiresAt\":\"\(session.expiresAt)\"}"
  }
}
