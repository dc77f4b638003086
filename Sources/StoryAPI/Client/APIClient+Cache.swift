import JSONText

extension APIClient {
  /// Returns the account of the session, using the cache.
  ///
  /// - Throws: `APIError`: `notCached` if the policy allows only the cache and it has no response.
  public nonisolated func currentUser(
    policy: CachePolicy
  ) async throws(APIError) -> Cached<User> {
    let (dialect, outage) = try await dialect(reading: policy)
    return try await read(.profile(dialect), dialect, policy, outage) { place throws(APIError) in
      try dialect.profile(at: place)
    }
  }

  /// Returns the remaining usage of the server's work in the server's order, using the cache.
  ///
  /// - Throws: The errors of ``currentUser(policy:)``.
  public nonisolated func usage(
    policy: CachePolicy
  ) async throws(APIError) -> Cached<[UsageLimit]> {
    let (dialect, outage) = try await dialect(reading: policy)
    return try await read(try .usage(dialect), dialect, policy, outage) { place throws(APIError) in
      try dialect.usage(at: place)
    }
  }

  /// Returns the dialect for a read. If the server cannot be asked for it, it is the last known one,
  /// with the reason: only the cache can answer then.
  private nonisolated func dialect(
    reading policy: CachePolicy
  ) async throws(APIError) -> (Dialect, outage: APIError?) {
    do throws(APIError) {
      return (try await dialect(), nil)
    } catch {
      guard policy != .networkOnly, error.isOutage,
        let last = configuration.dialectMemory?.recall()
      else { throw error }
      return (last, error)
    }
  }

  private nonisolated func read<Value: Sendable>(
    _ endpoint: Endpoint, _ dialect: Dialect, _ policy: CachePolicy, _ outage: APIError?,
    _ decode: @escaping @Sendable (AnswerPlace) throws(APIError) -> Value
  ) async throws(APIError) -> Cached<Value> {
    let key = await cacheKey(for: endpoint)
    var held: Cached<Value>?
    var conditional = endpoint
    if let key, let entry = await configuration.cache?.entry(for: key),
      let value = try? decode(AnswerPlace(request: endpoint.name, value: entry.value))
    {
      let age = configuration.time.now().duration(since: entry.storedAt)
      held = Cached(value: value, age: max(.zero, age))
      conditional.knownTag = entry.tag
    }
    if let outage {
      guard var held else { throw outage }
      held.failure = outage
      return held
    }
    let (request, value) = (conditional, held?.value)
    if var held, policy != .networkOnly, policy != .networkFirst {
      if policy == .cacheAndNetwork {
        held.refresh = Task { try await fetch(request, dialect, key, value, decode) }
      }
      return held
    }
    guard policy != .cacheOnly else { throw .notCached }
    do throws(APIError) {
      return Cached(value: try await fetch(request, dialect, key, value, decode))
    } catch {
      guard policy == .networkFirst, var held, error.isOutage else { throw error }
      held.failure = error
      return held
    }
  }

  /// Sends a request and stores the response.
  ///
  /// - Parameter held: The value in the cache, which the response may confirm.
  private nonisolated func fetch<Value: Sendable>(
    _ endpoint: Endpoint, _ dialect: Dialect, _ key: ResponseCache.Key?, _ held: Value?,
    _ decode: @Sendable (AnswerPlace) throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    let answer = try await answer(to: endpoint, dialect)
    let now = configuration.time.now()
    if answer.status == 304, let held, let key {
      await configuration.cache?.confirm(key, at: now)
      return held
    }
    let value = try decode(answer.place)
    if let key, let json = answer.value {
      await configuration.cache?.store(json, tag: answer.headers["ETag"], at: now, for: key)
    }
    return value
  }

  /// Removes a response that a write has made out of date.
  nonisolated func dropCached(_ endpoint: Endpoint) async {
    guard let cache = configuration.cache, let key = await cacheKey(for: endpoint) else { return }
    await cache.remove(key)
  }

  /// Returns the cache key of a response, or `nil` for an unknown account: then it is not cached.
  private func cacheKey(for endpoint: Endpoint) -> ResponseCache.Key? {
    guard let account = session?.user?.id else { return nil }
    return ResponseCache.Key(
      origin: server.origin, account: account, target: server.target(of: endpoint))
  }
}

extension APIError {
  /// Whether the server could not be reached, as opposed to refusing.
  public var isOutage: Bool {
    switch self {
    case .network, .rateLimited, .deadlineExceeded, .server(500..., _): true
    default: false
    }
  }
}
