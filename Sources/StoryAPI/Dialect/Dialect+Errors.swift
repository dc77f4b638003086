import JSONText
import StoryLibrary

struct RefusalContext {
  var request: String
  var kind: EntityKind?
  var right: String?
  var isSignIn = false
  var until: ServerDate?
}

extension Dialect {
  /// Returns the error for a status other than success. `body` is `nil` if it was not JSON.
  func error(status: Int, body: JSONValue?, _ context: RefusalContext) -> APIError {
    let message = Self.message(in: body)
    switch status {
    case 401: return .unauthorized(context.isSignIn ? .wrongPassword : .sessionExpired)
    case 403:
      if let right = context.right { return .lacksRight(AccessRight(right, context.kind)) }
      return .forbidden(message: message)
    case 404: return isOfCollection(body) ? .noCollection(context.kind) : .notFound
    // Two writes got the same millisecond. Both are valid.
    case 409 where self == .kinto && body?["errno"] == 122:
      return .server(status: 503, message: message)
    case 409: return .conflict(message: message)
    case 412: return .preconditionFailed(current: currentRecord(in: body, context))
    case 413: return .tooLarge
    case 424:
      let reason = body?["error"]?["code"] ?? body?["error"]
      return .notMade(reason: reason?.string, message: message)
    case 429: return .rateLimited(until: context.until)
    case 400, 422: return .validation(message: message, fields: problems(in: body, message))
    default: return .server(status: status, message: message)
    }
  }

  private func currentRecord(in body: JSONValue?, _ context: RefusalContext) -> RemoteRecord? {
    guard let kind = context.kind else { return nil }
    let answer = AnswerPlace(request: context.request, value: body)
    let place = self == .kinto ? answer["details"]["existing"] : answer["data"]
    return try? record(kind, at: place)
  }

  /// Returns whether an answer says that the record's collection or bucket does not exist.
  private func isOfCollection(_ body: JSONValue?) -> Bool {
    guard self == .kinto, let name = body?["details"]?["resource_name"]?.string else {
      return false
    }
    return name != "record"
  }

  /// Returns the message in an error's body. Looks in all known positions, because a proxy answers
  /// in a form of its own.
  private static func message(in body: JSONValue?) -> String? {
    let candidates = [body?["error"]?["message"], body?["message"], body?["error"]]
    return candidates.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
  }

  private func problems(in body: JSONValue?, _ message: String?) -> [APIError.FieldProblem] {
    let details = (self == .v0 ? body?["error"] : body)?["details"]
    let found: [APIError.FieldProblem] =
      switch details {
      case .object(let object): object.members.compactMap(Self.problem)
      case .array(let elements): elements.compactMap(Self.problem)
      default: []
      }
    return found.isEmpty && self == .v1 ? Self.problems(inSentence: message ?? "") : found
  }

  /// Parses `{"age": "must be 3 to 12"}`. The value may also be a list of sentences.
  private static func problem(_ member: JSONObject.Member) -> APIError.FieldProblem? {
    let sentences =
      member.value.array?.compactMap(\.string) ?? [member.value.string].compactMap(\.self)
    guard !sentences.isEmpty else { return nil }
    return .init(field: member.key, message: sentences.joined(separator: ", "))
  }

  /// Parses `{"path": ["age"], "message": "must be 3 to 12"}`, or `{"name": "age", "description":
  /// "…"}`.
  private static func problem(_ element: JSONValue) -> APIError.FieldProblem? {
    guard let message = (element["message"] ?? element["description"])?.string else { return nil }
    let path =
      element["path"]?.array?.map { $0.string ?? $0.compactText }.joined(separator: ".")
      ?? (element["path"] ?? element["field"] ?? element["name"])?.string ?? ""
    return .init(field: path, message: message)
  }

  /// Parses `age: must be 3 to 12; traits: too few`.
  static func problems(inSentence text: String) -> [APIError.FieldProblem] {
    let parts = text.split(separator: ";").map { part -> APIError.FieldProblem? in
      guard let colon = part.firstIndex(of: ":") else { return nil }
      let field = part[..<colon].drop(while: \.isWhitespace)
      guard !field.isEmpty, field.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." }) else {
        return nil
      }
      let message = part[part.index(after: colon)...].drop(while: \.isWhitespace)
      return .init(field: String(field), message: String(message))
    }
    return parts.contains(nil) ? [] : parts.compactMap(\.self)
  }

  /// Returns the right that a write in a batch needs, if the server has a name for it.
  func right(to operation: RemoteWrite.Operation) -> String? {
    guard self == .kinto else { return nil }
    return operation == .create ? "record:create" : "write"
  }
}
