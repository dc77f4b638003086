import JSONText
import StoryLibrary

extension Service {
  /// The answer to a write, now or to an earlier request with the same key.
  struct Outcome: Sendable {
    var status: Int
    var data: [UInt8]
    var isReplay = false
  }

  /// Makes a change only once for each idempotency key. A repeated request gets its answer again,
  /// even if the rules have changed since.
  ///
  /// - Parameters:
  ///   - content: The bytes that identify the request.
  ///   - make: Returns the answer.
  func once(
    _ key: String?, _ content: @autoclosure () -> [UInt8], _ account: Int, status: Int,
    _ now: Int64, _ make: (RememberedRequest?) throws(APIFailure) -> [UInt8]
  ) throws(APIFailure) -> Outcome {
    guard let key else { return Outcome(status: status, data: try make(nil)) }
    let remembered = RememberedRequest(
      key: SHA256.digest(key).half, request: SHA256.digest(content()).half, status: status,
      time: now)
    return try workshop.alone(account, remembered.key) { () throws(APIFailure) in
      if let earlier = try stored(try store.remembered(remembered.key, of: account)) {
        guard earlier.request.request == remembered.request else { throw .keyReused }
        return Outcome(status: earlier.request.status, data: earlier.answer, isReplay: true)
      }
      return Outcome(status: status, data: try make(remembered))
    }
  }

  func response(
    with done: Outcome, of kind: RecordKind, to request: ServerRequest
  ) -> ServerResponse {
    ServerResponse(
      done.status,
      headers: tag(of: done.data)
        + (done.isReplay ? [HTTPHeader("Idempotent-Replayed", "true")] : []),
      body: dialect.record(dialect.shown(done.data, of: kind, media(for: request))))
  }

  /// Handles a request only once for each idempotency key.
  ///
  /// - Parameters:
  ///   - asked: What is asked for. Together with the body, it identifies the request.
  ///   - make: Returns the answer: a story or another object with the media URLs of stories.
  func once(
    _ request: ServerRequest, _ asked: String, _ body: JSONNode, _ account: Int, status: Int = 200,
    _ now: Int64, _ make: (RememberedRequest?) throws(APIFailure) -> [UInt8]
  ) throws(APIFailure) -> ServerResponse {
    let done = try once(
      try key(of: request), RememberedRequest.content(asked, body), account, status: status, now,
      make)
    return response(with: done, of: .stories, to: request)
  }

  /// Returns the request's `Idempotency-Key`, or `nil` if the server does not support keys.
  func key(of request: ServerRequest) throws(APIFailure) -> String? {
    guard options.features.contains(.idempotency) else { return nil }
    return try RecordOperation.checked(key: request.headers["idempotency-key"])
  }
}
