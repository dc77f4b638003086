import JSONText
import StoryLibrary

private struct Refusal: Error {
  var error: APIError
  var serverWait: Duration?
}

/// The conditions under which a request may be repeated.
private enum Repetition {
  case never
  /// Unchanged: it only reads or sets values, was not carried out, or is carried out only once.
  case unchanged
  /// After finding out what became of the failed attempt.
  case lookedUp
}

extension APIClient {
  /// Finds out what became of a failed write before it is repeated.
  ///
  /// Returns the response that the write would have had, or `nil` if it can be repeated unchanged.
  /// Otherwise, throws the final error of the write.
  typealias LookUp = @Sendable (APIError) async throws(APIError) -> Answer?

  /// Sends a request, repeating it and renewing the session as necessary, and returns the response.
  ///
  /// - Parameters:
  ///   - kind: The kind of the requested record, if any.
  ///   - lookUp: Called before repeating a change that the server might carry out twice or apply to
  ///     another's change. Without it, such a change is sent once.
  /// - Throws: `APIError` for anything but success.
  func answer(
    to endpoint: Endpoint, _ dialect: Dialect, kind: EntityKind? = nil, lookUp: LookUp? = nil
  ) async throws(APIError) -> Answer {
    let session = try await sessionToSend(endpoint, dialect)
    let renewals = renewals
    do throws(APIError) {
      return try await attempts(endpoint, dialect, kind, session, lookUp)
    } catch {
      guard error == .unauthorized(.sessionExpired), let session else { throw error }
      let renewed = try await renewed(after: session, dialect, since: renewals)
      if await repetition(of: endpoint, after: error) == .lookedUp,
        let answer = try await lookUp?(error)
      {
        return answer
      }
      do throws(APIError) {
        return try await attempts(endpoint, dialect, kind, renewed, lookUp)
      } catch {
        if error == .unauthorized(.sessionExpired) { await forget(renewed) }
        throw error
      }
    }
  }

  /// Sends a request until it has a final response.
  func attempts(
    _ endpoint: Endpoint, _ dialect: Dialect, _ kind: EntityKind?, _ session: Session?,
    _ lookUp: LookUp? = nil
  ) async throws(APIError) -> Answer {
    var attempt = 1
    while true {
      let refusal: Refusal
      do throws(Refusal) {
        return try await attemptOnce(endpoint, dialect, kind, session, attempt)
      } catch {
        refusal = error
      }
      guard RetryPolicy.isWorthwhile(refusal.error),
        let wait = configuration.retryPolicy.delay(
          after: attempt, serverWait: refusal.serverWait, random: configuration.random())
      else { throw refusal.error }
      let repetition = await repetition(of: endpoint, after: refusal.error)
      guard repetition == .unchanged || (repetition == .lookedUp && lookUp != nil) else {
        throw refusal.error
      }
      if let deadline, configuration.time.uptime() + wait >= deadline { throw refusal.error }
      configuration.observe?(
        .waiting(
          RetryNotice(
            request: endpoint.name, error: refusal.error, attempt: attempt, wait: wait,
            attempts: configuration.retryPolicy.retries + 1, server: server.text)))
      defer { configuration.observe?(.resumed) }
      try await sleep(wait)
      if repetition == .lookedUp, let answer = try await lookUp?(refusal.error) { return answer }
      attempt += 1
    }
  }

  /// Returns how a request may be repeated after an error.
  ///
  /// Repeating a change of a record is a new write: after a wait, it could overwrite another's
  /// change or conflict with its own effect. Only preconditions prevent the former, and only
  /// idempotency keys the latter.
  private func repetition(of endpoint: Endpoint, after error: APIError) async -> Repetition {
    let wasNotDone = RetryPolicy.wasNotDone(error)
    switch endpoint.method {
    case .post:
      if wasNotDone { return .unchanged }
      // The server reports what it could not make, and another attempt costs as much again.
      if endpoint.patience == .generation, case .server(500, _) = error { return .never }
      guard endpoint.idempotencyKey != nil || endpoint.isBatch else { return .never }
      if await features().contains(.idempotency) { return .unchanged }
      return endpoint.isBatch ? .lookedUp : .never
    case .patch, .delete:
      guard endpoint.idempotencyKey != nil || endpoint.revision != nil else { return .unchanged }
      let features = await features()
      let isDoneOnce = wasNotDone || features.contains(.idempotency)
      let isConditional = endpoint.revision != nil && features.contains(.etag)
      return isDoneOnce && isConditional ? .unchanged : .lookedUp
    default: return .unchanged
    }
  }

  private func features() async -> Set<Feature> { (try? await serverInfo().features) ?? [] }

  private func attemptOnce(
    _ endpoint: Endpoint, _ dialect: Dialect, _ kind: EntityKind?, _ session: Session?,
    _ attempt: Int
  ) async throws(Refusal) -> Answer {
    let secrets = endpoint.secrets(with: session)
    var serverWait: Duration?
    do throws(APIError) {
      let response = try await once(endpoint, session: session, attempt: attempt)
      if (200...299).contains(response.status)
        || response.status == 304 && endpoint.knownTag != nil
      {
        let answer = try Answer(
          response, request: endpoint.name, secrets: secrets, hasBody: endpoint.method != .head)
        if endpoint.isBatch, let error = dialect.refusalOfWhole(answer.place) { throw error }
        return answer
      }
      if let target = response.url.flatMap({ WebOrigin(url: $0) }), target != server.webOrigin {
        // Another origin received no token, so its refusal says nothing about the session.
        throw APIError.network(.redirectRefused(target: target.text))
      }
      let now = configuration.time.now()
      serverWait = RetryHint.wait(response.headers, now: now)
      let context = RefusalContext(
        request: endpoint.name, kind: kind, right: endpoint.right, isSignIn: endpoint.isSignIn,
        until: serverWait.map { now.advanced(by: $0) })
      let body = try? JSONValue(parsing: response.body, maximumValues: Answer.maximumValues)
      throw dialect.error(status: response.status, body: body, context)
    } catch {
      throw Refusal(error: error.masking(secrets), serverWait: serverWait)
    }
  }

  func once(
    _ endpoint: Endpoint, session: Session?, attempt: Int
  ) async throws(APIError) -> HTTPResponse {
    let request = try request(for: endpoint, session)
    guard await gate.enter() else { throw .cancelled }
    defer { gate.leave() }
    let wait = limiter?.wait(now: configuration.time.uptime()) ?? .zero
    if wait > .zero { try await sleep(wait) }
    try await keepDistance(endpoint)
    statistics.requests += 1
    statistics.bytesUp += request.body.count
    let start = configuration.time.uptime()
    let outcome = await send(request)
    report(
      endpoint, request, outcome, duration: configuration.time.uptime() - start, attempt,
      endpoint.secrets(with: session))
    switch outcome {
    case .success(let response):
      statistics.bytesDown += response.body.count
      if let date = response.headers["Date"].flatMap({ ServerDate(http: $0) }) {
        clockDifference = date.duration(since: configuration.time.now())
      }
      hear(response.headers)
      return response
    case .failure(let error): throw error
    }
  }

  /// Waits for as long as the server asked to be left alone.
  private func keepDistance(_ endpoint: Endpoint) async throws(APIError) {
    guard let quietUntil else { return }
    let wait = quietUntil - configuration.time.uptime()
    guard wait > .zero else { return }
    let until = configuration.time.now().advanced(by: wait)
    configuration.observe?(
      .waiting(
        RetryNotice(
          request: endpoint.name, error: .rateLimited(until: until), attempt: 1, wait: wait)))
    defer { configuration.observe?(.resumed) }
    try await sleep(wait)
  }

  /// Takes note of what an answer says about the server itself.
  private func hear(_ headers: HTTPHeaders) {
    let notice = Dialect.notice(in: headers)
    if let pause = notice.pause {
      let wait = min(pause, configuration.retryPolicy.longestServerWait)
      quietUntil = max(quietUntil ?? .zero, configuration.time.uptime() + wait)
    }
    if let alert = notice.alert, !hasAlerted {
      hasAlerted = true
      configuration.observe?(.alert(alert))
    }
  }

  /// Sends a request, limited by the deadline of the run.
  private func send(_ request: HTTPRequest) async -> Result<HTTPResponse, APIError> {
    guard let deadline else { return await Self.send(request, by: transport) }
    let left = deadline - configuration.time.uptime()
    guard left > .zero else { return .failure(.deadlineExceeded) }
    let (transport, sleep) = (transport, configuration.time.sleep)
    return await withTaskGroup(of: Result<HTTPResponse, APIError>.self) { group in
      group.addTask { await Self.send(request, by: transport) }
      group.addTask {
        do { try await sleep(left) } catch { return .failure(.cancelled) }
        return .failure(.deadlineExceeded)
      }
      let first = await group.next() ?? .failure(.cancelled)
      group.cancelAll()
      return first
    }
  }

  private static func send(
    _ request: HTTPRequest, by transport: any Transport
  ) async -> Result<HTTPResponse, APIError> {
    await Result.catching { () throws(TransportError) in try await transport.send(request) }
      .mapError { APIError($0) }
  }

  private func sleep(_ duration: Duration) async throws(APIError) {
    if let deadline, configuration.time.uptime() + duration >= deadline {
      throw .deadlineExceeded
    }
    do { try await configuration.time.sleep(duration) } catch { throw .cancelled }
    guard !Task.isCancelled else { throw .cancelled }
  }

  private func report(
    _ endpoint: Endpoint, _ request: HTTPRequest, _ outcome: Result<HTTPResponse, APIError>,
    duration: Duration, _ attempt: Int, _ secrets: [String]
  ) {
    guard let observe = configuration.observe else { return }
    var report = RequestReport(
      method: endpoint.method, target: server.target(of: endpoint), duration: duration,
      attempt: attempt, attempts: configuration.retryPolicy.retries + 1, server: server.text)
    func shown(_ body: [UInt8]) -> String? {
      configuration.logsBodies ? Redaction.body(body, without: secrets) : nil
    }
    report.requestBody = shown(request.body)
    switch outcome {
    case .success(let response):
      report.status = response.status
      report.responseBody = shown(response.body)
    case .failure(.network(let failure)): report.failure = failure
    case .failure: break
    }
    observe(.finished(report))
  }

  /// Returns the request for an endpoint on this server.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a revision or key that is invalid in a header,
  ///   `APIError.unauthorized` if a required session is missing.
  func request(for endpoint: Endpoint, _ session: Session?) throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: endpoint.method, url: server.origin + server.target(of: endpoint),
      timeout: endpoint.patience == .generation
        ? configuration.generationTimeout : configuration.timeout)
    // The timeout bounds silence, and this bounds a response that trickles in.
    request.timeLimit = max(request.timeLimit, request.timeout * 2)
    if endpoint.isBatch { request.answerLimit = Endpoint.batchAnswerLimit }
    request.headers["Accept"] = "application/json"
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    // Every POST and PUT has a body. URLSession retries a request on its own if a reused connection
    // breaks, but not one with a body to send.
    let empty: JSONValue? = [.post, .put].contains(endpoint.method) ? [:] : nil
    if let body = endpoint.body ?? empty {
      request.headers["Content-Type"] = endpoint.contentType
      request.body = body.compactBytes
    }
    if endpoint.needsOrigin { request.headers["Origin"] = server.origin }
    if let key = endpoint.idempotencyKey {
      request.headers["Idempotency-Key"] = try Self.fieldValue(key)
    }
    if let revision = endpoint.revision {
      request.headers["If-Match"] = try "\"\(Self.fieldValue(revision))\""
    }
    if let tag = endpoint.knownTag { request.headers["If-None-Match"] = tag }
    let session = endpoint.fixedSession ?? (endpoint.authorization == .never ? nil : session)
    if let session, let value = try? Self.fieldValue(session.token.value) {
      request.headers["Authorization"] = "\(session.scheme.rawValue) \(value)"
    } else if endpoint.authorization == .required {
      throw .unauthorized(.notSignedIn)
    }
    return request
  }

  /// Returns a text that is valid in a header field, also within quotes.
  private static func fieldValue(_ text: String) throws(APIError) -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 }) else {
      throw .invalidIdentifier(ServerText.shown(text, limit: 80))
    }
    return text
  }
}
