/// What a path stands for, whatever the dialect calls it.
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

  /// The methods that it answers to; HEAD comes with GET.
  var methods: [String] {
    switch self {
    case .health, .session: ["GET"]
    case .signUp, .signIn, .refresh, .signOut, .play, .batch, .creations: ["POST"]
    case .profile: ["GET", "PATCH"]
    case .collection: ["GET", "POST"]
    case .record: ["GET", "PATCH", "DELETE"]
    }
  }

  /// Whether it answers to someone who is not signed in.
  var isOpen: Bool {
    switch self {
    case .health, .signUp, .signIn, .refresh, .session: true
    case .signOut, .profile, .collection, .record, .play, .batch, .creations: false
    }
  }

  /// Whether it is about accounts and sessions.
  var isAuthentication: Bool {
    switch self {
    case .signUp, .signIn, .refresh, .session, .signOut: true
    default: false
    }
  }

  /// Whether a request with this method must have a JSON body.
  func needsBody(_ method: String) -> Bool {
    guard method == "POST" || method == "PATCH" else { return false }
    switch self {
    case .signOut, .play: return false
    default: return true
    }
  }

  /// The value of `Allow` (RFC 9110, section 10.2.1).
  var allow: String {
    methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ")
  }
}
