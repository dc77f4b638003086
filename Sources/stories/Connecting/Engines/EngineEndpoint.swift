import JSONText
import StoryAPI
import StoryServer

/// An engine with OpenAI's HTTP API (https://platform.openai.com/docs/api-reference) or a
/// compatible one.
///
/// The key is sent only to the engine's own origin and is in no message.
struct EngineEndpoint: Sendable {
  let url: EngineURL
  /// The model's name, or `nil` for an engine with only one.
  var model: String?
  /// The token for `Authorization: Bearer`, or `nil` for an engine without authentication.
  var key: Secret?
  let transport: any Transport
  var seconds = 170

  /// Posts a JSON object and returns the response if the request succeeded.
  func post(_ path: String, _ body: JSONObject) async throws(EngineError) -> HTTPResponse {
    var body = body
    if let model { body["model"] = .string(model) }
    var request = HTTPRequest(
      method: .post, url: "\(url.text)/\(path)",
      headers: ["Content-Type": "application/json", "Accept": "*/*"],
      body: JSONValue.object(body).compactBytes, timeout: .seconds(seconds + 5))
    if let key { request.headers["Authorization"] = "Bearer \(key.value)" }
    return try await send(request)
  }

  /// Posts an object with optional members; if the engine rejects the request, posts again without
  /// them.
  func post(
    _ path: String, _ body: JSONObject, wishes: JSONObject
  ) async throws(EngineError) -> HTTPResponse {
    var whole = body
    for member in wishes.members { whole[member.key] = member.value }
    do throws(EngineError) {
      return try await post(path, whole)
    } catch {
      guard case .failed(let status, _) = error, status == 400 || status == 422 else { throw error }
      return try await post(path, body)
    }
  }

  /// Fetches a file that an answer refers to.
  ///
  /// - Throws: `EngineError`; `unusable` for an address that must not be connected to.
  func get(_ target: String) async throws(EngineError) -> [UInt8] {
    let whole = target.hasPrefix("/") ? url.address.origin + target : target
    let parts = whole.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count == 3,
      let address = try? ServerAddress("\(parts[0])//\(parts[1])", allowsPlainHTTP: true),
      address.isSecure || address == url.address || address.isLoopback && url.address.isLoopback
    else { throw .unusable("it names an address that is not fetched from") }
    var request = HTTPRequest(method: .get, url: whole, timeout: .seconds(seconds + 5))
    if let key, address == url.address { request.headers["Authorization"] = "Bearer \(key.value)" }
    return try await send(request).body
  }

  // MARK: Sending

  private func send(_ request: HTTPRequest) async throws(EngineError) -> HTTPResponse {
    var request = request
    request.staysOnOriginOrSecure = true
    // After a redirect, it starts anew.
    request.timeLimit = .seconds(seconds)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await transport.send(request)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .network(.timedOut), .network(.tooSlow), .network(.headTooSlow):
        throw .timedOut(seconds: seconds)
      case .network(let failure):
        throw .unreachable("\(url.address.origin): \(Self.reason(failure))")
      }
    }
    guard (200...299).contains(response.status) else { throw error(response) }
    return response
  }

  private static func reason(_ failure: NetworkFailure) -> String {
    switch failure {
    case .refused: "connection refused"
    case .unknownHost: "unknown host"
    case .offline: "no network"
    case .connectionLost, .truncated: "the connection broke"
    default: failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
    }
  }

  // MARK: Errors

  /// Error codes of engines for a refusal for safety reasons.
  private static let safety: Set<String> = [
    "content_policy_violation", "content_filter", "moderation_blocked",
    "ResponsibleAIPolicyViolation",
  ]
  private static let quota: Set<String> = ["insufficient_quota", "billing_hard_limit_reached"]

  private func error(_ response: HTTPResponse) -> EngineError {
    let body = try? JSONValue(parsing: response.body)
    let error = body?["error"]
    let words = Set([error?["code"], error?["type"], body?["code"]].compactMap { $0?.string })
    // Ollama and llama.cpp use shorter forms, FastAPI `detail`.
    let texts = [error?["message"], error, body?["message"], body?["detail"]]
    let text = texts.lazy.compactMap { $0?.string }.first { !$0.isEmpty }.map(shown)
    if !words.isDisjoint(with: Self.safety) { return .refused(text) }
    if !words.isDisjoint(with: Self.quota) || response.status == 402 { return .quotaExceeded }
    switch response.status {
    case 401: return .badKey
    case 429:
      let wait = RetryHint.wait(response.headers, now: TimeSource.system.now())
      return .busy(retryAfter: wait.map { Int($0.components.seconds) })
    case 408, 504: return .timedOut(seconds: seconds)
    default: return .failed(status: response.status, message: text)
    }
  }

  /// Returns an engine's text for display: without the key, and cut off.
  func shown(_ text: String) -> String {
    ServerText.shown(Redaction.text(text, without: key.map { [$0.value] } ?? []), limit: 200)
  }
}

/// The address of an engine: `https://host/v1`, the base of `chat/completions` and the like.
struct EngineURL: Sendable, Equatable {
  /// Scheme, host and port, to which the key belongs.
  let address: ServerAddress
  /// The path after the host, with a leading slash and no trailing one; may be empty.
  let path: String

  /// Parses an address; an endpoint's address is shortened to its base.
  ///
  /// - Parameter server: parses an origin and refuses one that must not be connected to.
  /// - Throws: `ServerAddress.Problem`, and what `server` throws.
  init(_ text: String, _ server: (String) throws -> ServerAddress) throws {
    guard let mark = text.firstRange(of: "://") else { throw ServerAddress.Problem.scheme(text) }
    guard !text.contains("?"), !text.contains("#"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw ServerAddress.Problem.path(text) }
    var segments = text[mark.upperBound...].split(separator: "/").map(String.init)
    let host = segments.isEmpty ? "" : segments.removeFirst()
    address = try server("\(text[..<mark.upperBound])\(host)")
    for tail in ["chat/completions", "images/generations", "audio/speech"] {
      let words = tail.split(separator: "/").map(String.init)
      if segments.suffix(words.count) == words[...] { segments.removeLast(words.count) }
    }
    path = segments.map { "/" + $0 }.joined()
  }

  var text: String { address.origin + path }
}
