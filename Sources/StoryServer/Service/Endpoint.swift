/// What a path stands for, whatever the dialect calls it.
enum Endpoint: Equatable, Sendable {
  case health
  case signUp
  case signIn
  case refresh
  case signOut
  case profile
  case collection(RecordKind)
  case record(RecordKind, RecordID)
  case batch

  /// The methods that it answers to; HEAD comes with GET.
  var methods: [String] {
    switch self {
    case .health: ["GET"]
    case .signUp, .signIn, .refresh, .signOut, .batch: ["POST"]
    case .profile: ["GET", "PATCH"]
    case .collection: ["GET", "POST"]
    case .record: ["GET", "PATCH", "DELETE"]
    }
  }

  /// Whether it answers to someone who is not signed in.
  var isOpen: Bool {
    switch self {
    case .health, .signUp, .signIn, .refresh: true
    case .signOut, .profile, .collection, .record, .batch: false
    }
  }

  /// Whether a request with this method must have a JSON body.
  func needsBody(_ method: String) -> Bool {
    guard method == "POST" || method == "PATCH" else { return false }
    return self != .signOut
  }

  /// The value of `Allow` (RFC 9110, section 10.2.1).
  var allow: String {
    methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ")
  }
}
