import JSONText

extension DialectV1 {
  func needsOrigin(_ endpoint: Endpoint) -> Bool { endpoint == .signIn || endpoint == .signUp }

  var extendsSessions: Bool { true }
  var requiresName: Bool { true }

  func user(_ account: LogEntry.AccountEntry) -> [UInt8] {
    let user: JSONValue = [
      "id": .string(account.id), "email": .string(account.email),
      "name": account.name.map { .string($0) } ?? JSONValue.null,
      "createdAt": .string(account.createdAt),
    ]
    return user.compactBytes
  }

  func signedIn(_ session: IssuedSession, user: [UInt8], isNew: Bool) -> HTTPResponse {
    let body = Array("{\"token\":\"\(session.token)\",\"user\":".utf8) + user + Array("}".utf8)
    return HTTPResponse(200, headers: [HTTPHeader("set-auth-token", session.token)], body: body)
  }

  func session(_ session: (token: String, expiresAt: String)?, user: [UInt8]) -> [UInt8] {
    guard let session else { return Array("null".utf8) }
    return Array(
      "{\"session\":{\"token\":\"\(session.token)\",\"expiresAt\":\"\(session.expiresAt)\"},\"user\":"
        .utf8) + user + Array("}".utf8)
  }

  /// This dialect has no refresh tokens.
  func refreshed(_ session: IssuedSession) -> [UInt8] { Array("null".utf8) }
}
