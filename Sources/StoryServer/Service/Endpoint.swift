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
  case usage
  /// A hero's picture.
  case avatar(RecordID)
  /// A story read aloud.
  case audio(RecordID)
  /// A story's pictures.
  case illustrations(RecordID)
  case illustrationStatus(RecordID)
  case media(MediaName)

  /// The methods that it answers to; HEAD comes with GET.
  var methods: [String] {
    switch self {
    case .health, .session, .usage, .illustrationStatus, .media: ["GET"]
    case .signUp, .signIn, .refresh, .signOut, .play, .batch, .creations, .avatar: ["POST"]
    case .profile: ["GET", "PATCH"]
    case .collection, .audio, .illustrations: ["GET", "POST"]
    case .record: ["GET", "PATCH", "DELETE"]
    }
  }

  /// Whether it answers to someone who is not signed in.
  var isOpen: Bool {
    switch self {
    case .health, .signUp, .signIn, .refresh, .session: true
    case .signOut, .profile, .collection, .record, .play, .batch, .creations, .usage, .avatar,
      .audio, .illustrations, .illustrationStatus, .media:
      false
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

  /// The record for which something is made here.
  var made: (kind: RecordKind, id: RecordID)? {
    switch self {
    case .avatar(let hero): (.heroes, hero)
    case .audio(let story), .illustrations(let story), .illustrationStatus(let story):
      (.stories, story)
    default: nil
    }
  }

  /// Whether a body that is left out stands for an empty object.
  var mayLackBody: Bool { made != nil }

  /// The value of `Allow` (RFC 9110, section 10.2.1).
  var allow: String {
    methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ")
  }
}
