import JSONText
import StoryLibrary

struct Service: RequestHandler {
  let store: Store
  let options: ServerOptions
  let passwords: PasswordHasher
  let throttle = SignInThrottle()
  let names: ServerNames
  let workshop: Workshop
  /// The key for signed media URLs.
  let mediaKey: Digest
  let hook: Monitor<(any ServerHook)?>

  var dialect: ServerAPI { options.api }

  static let largestBatch = 100

  func answer(_ request: ServerRequest) -> ServerResponse? {
    guard let hook = hook.withLock({ $0 }) else { return response(to: request) }
    return hook.answer(request) { response(to: request) }
  }

  /// Returns the answer to a request. Everything that it shows or acknowledges is stored.
  func response(to request: ServerRequest) -> ServerResponse {
    let endpoint = dialect.endpoint(request.target.segments)
    do throws(APIFailure) {
      return try response(to: request, endpoint)
    } catch {
      return dialect.failure(error, at: endpoint)
    }
  }

  func refusal(_ failure: APIFailure) -> ServerResponse { dialect.failure(failure, at: nil) }

  func isKnown(_ request: ServerRequest) -> Bool {
    guard let token = request.bearerToken else { return false }
    return store.hasSession(token: SHA256.digest(token), now: options.clock())
  }

  func refusalOfBody(_ request: ServerRequest, over limit: Int) -> APIFailure {
    if dialect.endpoint(request.target.segments)?.isOpen == true {
      return .bodyTooLarge(limit: limit)
    }
    return request.bearerToken == nil ? .unauthorized() : .sessionOver
  }

  private func response(
    to request: ServerRequest, _ endpoint: Endpoint?
  ) throws(APIFailure) -> ServerResponse {
    try names.checkHost(request)
    guard let endpoint, endpoint != .batch || options.features.contains(.batch) else {
      throw .noSuchPath
    }
    let method = request.method == "HEAD" ? "GET" : request.method
    guard endpoint.methods.contains(method) else {
      throw APIFailure(
        405, "methodNotAllowed", "\(request.method) is not possible here.",
        headers: [HTTPHeader("Allow", endpoint.allow)])
    }
    if method != "GET" {
      try names.checkOrigin(request, isRequired: dialect.needsOrigin(endpoint))
    }
    let account = try endpoint.isOpen ? nil : account(of: request, endpoint)
    var document: JSONDocument?
    if endpoint.mayLackBody, request.body.isEmpty, method == "POST" {
      document = try? JSONDocument(parsing: "{}")
    } else if endpoint.needsBody(method) {
      document = try body(of: request)
    }
    let answer = Result { () throws(APIFailure) in
      try self.answer(request, to: endpoint, method, account, document?.root)
    }
    // A failure may show a record, too.
    if account != nil { try stored(try store.waitUntilStored()) }
    do throws(APIFailure) {
      return try answer.get()
    } catch {
      guard let account, let (kind, id) = endpoint.record, error == .noSuchRecord(kind) else {
        throw error
      }
      throw dialect.missing(kind, isForeign: store.isForeign(kind, id, to: account))
    }
  }

  private func answer(
    _ request: ServerRequest, to endpoint: Endpoint, _ method: String, _ account: Int?,
    _ body: JSONNode?
  ) throws(APIFailure) -> ServerResponse {
    let now = options.clock()
    switch (endpoint, account, body) {
    case (.health, _, _):
      return ServerResponse(
        200,
        body: dialect.health(version: options.version, features: options.features, now: now))
    case (.signUp, _, let body?): return try signUp(body, request, now)
    case (.signIn, _, let body?): return try signIn(body, request, now)
    case (.refresh, _, let body?): return try refresh(body, request, now)
    case (.session, _, _): return try session(request, now)
    case (.signOut, _, _): return try signOut(request)
    case (.profile, let account?, let body?):
      return try changeProfile(body, request, account, now)
    case (.profile, let account?, nil):
      return ServerResponse(
        200, body: dialect.record(dialect.user(store.account(account))))
    case (.collection(let kind), let account?, nil): return try list(kind, request, account)
    case (.collection(let kind), let account?, let body?):
      if kind == .stories,
        dialect.writesEveryStory || body["content"].map({ $0.kind == .null }) ?? true
      {
        return try writeStory(body, request, account, now)
      }
      return try write(.create, kind, nil, body, request, account, now)
    case (.record(let kind, let id), let account?, let body):
      switch method {
      case "GET": return try read(kind, id, request, account)
      case "PATCH": return try write(.update, kind, id, body, request, account, now)
      default: return try write(.delete, kind, id, nil, request, account, now)
      }
    case (.play(let id), let account?, _): return try play(id, account, now)
    case (.batch, let account?, let body?): return try batch(body, request, account, now)
    case (.creations(let kind), let account?, let body?):
      return try create(kind, body, account, now)
    case (.usage, let account?, _): return usage(account, now)
    case (.avatar(let id), let account?, let body?):
      return try makeAvatar(id, body, request, account, now)
    case (.audio(let id), let account?, let body?):
      return try makeAudio(id, body, request, account, now)
    case (.audio(let id), let account?, nil): return try audio(id, request, account)
    case (.illustrations(let id), let account?, let body?):
      return try makeIllustrations(id, body, request, account, now)
    case (.illustrations(let id), let account?, nil):
      return try illustrations(id, request, account)
    case (.illustrationStatus(let id), let account?, _):
      return try illustrationStatus(id, account)
    case (.media(let name), let account?, _): return try media(name, request, account)
    default: throw .noSuchPath
    }
  }

  private func account(
    of request: ServerRequest, _ endpoint: Endpoint
  ) throws(APIFailure) -> Int {
    if case .media(let name) = endpoint, dialect.signsMedia {
      guard media(for: request).admits(request.target) else {
        throw APIFailure(403, "invalidSignature", "The signature is wrong or has expired.")
      }
      return name.account
    }
    guard let token = request.bearerToken else { throw .unauthorized() }
    guard let session = try session(ofToken: token, options.clock()) else { throw .sessionOver }
    return session.account
  }

  private func body(of request: ServerRequest) throws(APIFailure) -> JSONDocument {
    guard request.framing != .none else {
      throw APIFailure(411, "lengthRequired", "The request has no body and no Content-Length.")
    }
    guard request.isJSON else {
      throw APIFailure(415, "notJSON", "The body must be application/json in UTF-8.")
    }
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONDocument(parsing: request.body)
    } catch {
      throw .badRequest("invalidJSON", "The body is not valid JSON: \(error).")
    }
    guard document.root.kind == .object else {
      throw .badRequest("invalidBody", "The body must be a JSON object.")
    }
    return document
  }

  func newID() -> RecordID { RecordID(dialect.newID(options.random)) }

  func media(for request: ServerRequest) -> MediaLinks {
    MediaLinks(
      origin: request.origin, now: options.clock(), lifetime: options.mediaLifetime, key: mediaKey,
      random: options.random)
  }
}
