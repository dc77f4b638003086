/// The form that the contract takes on the wire: paths, envelopes, errors, and the fields that a
/// client may write.
///
/// Everything that differs between dialects is in extensions of this type. A server speaks one
/// dialect.
extension ServerAPI {
  /// Returns the endpoint of a path, or `nil` if the dialect does not have it.
  func endpoint(_ segments: [String]) -> Endpoint? {
    guard segments.first == "api" else { return nil }
    let path = Array(segments.dropFirst())
    switch (self, path) {
    case (.v0, ["auth", "sign-up"]), (.v1, ["auth", "sign-up", "email"]): return .signUp
    case (.v0, ["auth", "sign-in"]), (.v1, ["auth", "sign-in", "email"]): return .signIn
    case (.v0, ["auth", "session", "refresh"]): return .refresh
    case (.v1, ["auth", "get-session"]): return .session
    case (_, ["auth", "sign-out"]): return .signOut
    case (.v0, ["batch"]): return .batch
    case (.v1, ["batch"]): return .creations(.heroes)
    case (.v1, ["batch", "stories"]): return .creations(.stories)
    case _ where path.first == "media": return MediaName(path.dropFirst()).map { .media($0) }
    case (.v0, _): return resource(path)
    case (.v1, _): return path.first == "v1" ? resource(Array(path.dropFirst())) : nil
    }
  }

  private func resource(_ path: [String]) -> Endpoint? {
    switch path {
    case ["health"]: return .health
    case ["user", "profile"]: return .profile
    case ["user", "usage"]: return .usage
    default: break
    }
    guard let kind = path.first.flatMap(RecordKind.init(rawValue:)),
      RecordKind.written.contains(kind)
    else { return nil }
    guard path.count > 1 else { return .collection(kind) }
    let id = RecordID(path[1])
    let rest = Array(path.dropFirst(2))
    if self == .v1, kind == .stories, rest == ["play"] { return .play(id) }
    guard !id.text.isEmpty else { return nil }
    switch (kind, rest) {
    case (_, []): return .record(kind, id)
    case (.heroes, ["avatar"]): return .avatar(id)
    case (.stories, ["audio"]): return .audio(id)
    case (.stories, ["illustrations"]): return .illustrations(id)
    case (.stories, ["illustrations", "status"]): return .illustrationStatus(id)
    default: return nil
    }
  }

  func features(_ wanted: Set<ServerFeature>) -> Set<ServerFeature> { self == .v0 ? wanted : [] }

  /// Returns whether a request must have an `Origin` that shows it comes from the server's own
  /// pages.
  func needsOrigin(_ endpoint: Endpoint) -> Bool {
    self == .v1 && (endpoint == .signIn || endpoint == .signUp)
  }

  /// Parses the parameters of a list request.
  ///
  /// - Throws: `APIFailure` with status 400 naming the invalid parameter.
  func query(
    _ parameters: [HTTPTarget.Parameter], of kind: RecordKind, features: Set<ServerFeature>
  ) throws(APIFailure) -> ListQuery {
    var query = try ListQuery(parameters, of: kind, features: features)
    if self == .v1 {
      query.order = kind == .customEvents ? .favourites : .created
      query.isAfterExclusive = true
      if kind == .customEvents { query.updatedAfter = nil }
    }
    return query
  }

  /// Whether using a session extends it to its full lifetime. Otherwise clients refresh sessions.
  var extendsSessions: Bool { self == .v1 }

  /// Whether an account must be created with a name.
  var requiresName: Bool { self == .v1 }

  /// Whether the server writes every story posted to the plain route, even one with content.
  var writesEveryStory: Bool { self == .v1 }

  /// Whether media URLs are signed and fetched without a session. Otherwise they are plain paths,
  /// fetched with a session.
  var signsMedia: Bool { self == .v1 }

  /// Returns a new id: a UUID, or in `v1` one like the service's (cuid), `c` followed by 24 digits
  /// and lowercase letters.
  func newID(_ random: () -> UInt64) -> String {
    guard self == .v1 else { return IssuedSession.uuid(random) }
    var text = "c"
    while text.utf8.count < 25 {
      let part = String(random(), radix: 36)
      text += part.suffix(min(part.utf8.count, 25 - text.utf8.count))
    }
    return text
  }
}
