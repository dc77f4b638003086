/// A shape of the wire contract.
///
/// Everything that differs between servers is decided in extensions of this type; no other code
/// asks which dialect it speaks.
public enum Dialect: String, Sendable, Hashable, CaseIterable {
  /// What the embedded server speaks.
  case v0
  /// What the InfiniteStories backend speaks as it is deployed.
  case v1
}

extension Dialect {
  /// The path before `heroes` and the like.
  var base: String {
    switch self {
    case .v0: "/api"
    case .v1: "/api/v1"
    }
  }
}
