/// The forms of the contract that a server can speak; it speaks one at a time.
///
/// The data is the same in both: a folder may be served in one and later in the other.
public enum ServerAPI: String, Sendable, CaseIterable {
  /// The form of this project's own clients, with all of ``ServerFeature``.
  case v0
  /// The form of the InfiniteStories service as it is deployed: no preconditions, no keys, no
  /// tombstones, pages by offset.
  case v1

  var dialect: any Dialect {
    switch self {
    case .v0: DialectV0()
    case .v1: DialectV1()
    }
  }
}
