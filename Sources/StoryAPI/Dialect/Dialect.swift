/// A shape of the wire contract.
///
/// Everything that differs between servers is decided in extensions of this type; no other code
/// asks which dialect it speaks.
public enum Dialect: String, Sendable, Hashable, CaseIterable {
  /// What the embedded server speaks.
  case v0
  /// What the InfiniteStories backend speaks as it is deployed.
  case v1
  /// What Kinto speaks, a store of JSON records on PostgreSQL (kinto.readthedocs.io, HTTP API).
  case kinto
}

extension Dialect {
  /// The path before `heroes` and the like, from ``recordRoot``.
  var base: String {
    switch self {
    case .v0: "/api"
    case .v1: "/api/v1"
    case .kinto: ""
    }
  }

  /// What the paths of records start from.
  var recordRoot: Endpoint.Root { self == .kinto ? .bucket : .origin }

  /// The dialects that may be spoken at an address: only Kinto has addresses with a path.
  static func candidates(at server: ServerAddress) -> [Dialect] {
    server.path.isEmpty ? allCases : [.kinto]
  }
}
