import JSONText
import StoryLibrary

extension APIError {
  func masking(_ secrets: [String]) -> APIError {
    func masked(_ text: String) -> String {
      Redaction.text(Redaction.urls(in: text), without: secrets)
    }
    return switch self {
    case .forbidden(let text): .forbidden(message: text.map(masked))
    case .conflict(let text): .conflict(message: text.map(masked))
    case .notMade(let reason, let text): .notMade(reason: reason, message: text.map(masked))
    case .server(let status, let text): .server(status: status, message: text.map(masked))
    case .decoding(let problem, let place):
      .decoding(problem.replacingText(masked), where: masked(place))
    case .network(.redirectRefused(let target)):
      .network(.redirectRefused(target: masked(target)))
    case .validation(let text, let fields):
      .validation(
        message: text.map(masked),
        fields: fields.map { FieldProblem(field: masked($0.field), message: masked($0.message)) })
    default: self
    }
  }
}

extension AnswerProblem {
  /// Returns the problem with `replacement` applied to every text of the server in it.
  fileprivate func replacingText(_ replacement: (String) -> String) -> AnswerProblem {
    switch self {
    case .notJSON(let diagnosis): return .notJSON(diagnosis: replacement(diagnosis))
    case .errorInSuccess(let status, let message):
      return .errorInSuccess(status: status, message: replacement(message))
    case .otherRecord(let id): return .otherRecord(id: replacement(id))
    case .unknownStatus(let word): return .unknownStatus(replacement(word))
    case .mismatch(let mismatch):
      guard case .text(let text) = mismatch.found else { return self }
      return .mismatch(WireMismatch(mismatch.expected, found: .text(replacement(text))))
    case .emptyBody, .webPage, .otherHero, .noNextPage, .noTotal, .repeatedID, .missingResult,
      .resultCount:
      return self
    }
  }
}

extension Endpoint {
  /// Returns the secrets in a request with this session.
  func secrets(with session: Session?) -> [String] {
    let own = ["password", "refreshToken", "inviteCode"].compactMap {
      (body?[$0] ?? body?["data"]?[$0])?.string
    }
    let tokens = [session?.token, session?.refreshToken, fixedSession?.token].compactMap {
      $0?.value
    }
    return own + tokens
  }
}
