/// An endpoint, whatever its path in a dialect.
enum Endpoint: Equatable, Sendable {
  case health
  case signUp
  case signIn
  case refresh
  case session
  case signOut
  case profile
  case collection(RecordKind)
  case record(RecordKind, RecordID)
  case play(RecordID)
  case batch
  case creations(RecordKind)
  case usage
  case avatar(RecordID)
  case audio(RecordID)
  case illustrations(RecordID)
  case illustrationStatus(RecordID)
  case media(MediaName)

  /// The methods that the endpoint supports. GET implies HEAD.
  var methods: [String] {
    switch self {
    case .health, .session, .usage, .illustrationStatus, .media: ["GET"]
    case .signUp, .signIn, .refresh, .signOut, .play, .batch, .creations, .avatar: ["POST"]
    case .profile: ["GET", "PATCH"]
    case .collection, .audio, .illustrations: ["GET", "POST"]
    case .record: ["GET", "PATCH", "DELETE"]
    }
  }

  var isOpen: Bool { [.health, .signUp, .signIn, .refresh, .session].contains(self) }

  var isAuthentication: Bool {
    [.signUp, .signIn, .refresh, .session, .signOut].contains(self)
  }

  /// Returns whether a request with this method must have a JSON body.
  func needsBody(_ method: String) -> Bool {
    if case .play = self { return false }
    return self != .signOut && (method == "POST" || method == "PATCH")
  }

  /// The record that the endpoint is about.
  var record: (kind: RecordKind, id: RecordID)? {
    switch self {
    case .record(let kind, let id): (kind, id)
    case .avatar(let hero): (.heroes, hero)
    case .play(let story), .audio(let story), .illustrations(let story),
      .illustrationStatus(let story):
      (.stories, story)
    default: nil
    }
  }

  /// Whether a missing body means an empty object.
  var mayLackBody: Bool {
    switch self {
    case .avatar, .audio, .illustrations: true
    default: false
    }
  }

  /// The value of `Allow` (RFC 9110, section 10.2.1).
  var allow: String {
    methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ")
  }
}
