/// A form of the wire contract.
///
/// Extensions of this type and of `Endpoint` decide everything that differs between servers. No other code
/// checks the dialect.
public enum Dialect: String, Sendable, Hashable, CaseIterable {
  /// The dialect of the embedded server.
  case v0
  /// The dialect of the deployed InfiniteStories service.
  case v1
  /// The dialect of Kinto, a store for JSON records on PostgreSQL (kinto.readthedocs.io, HTTP API).
  case kinto
}

extension Dialect {
  /// The path before the names of kinds, from ``recordRoot``.
  var base: String {
    switch self {
    case .v0: "/api"
    case .v1: "/api/v1"
    case .kinto: ""
    }
  }

  /// The root of the paths of records.
  var recordRoot: Endpoint.Root { self == .kinto ? .bucket : .origin }

  /// Returns the possible dialects at an address. Only Kinto's addresses have a path.
  static func candidates(at server: ServerAddress) -> [Dialect] {
    server.path.isEmpty ? allCases : [.kinto]
  }

  /// Returns the dialect that an address shows, or `nil` if several are possible.
  ///
  /// - Parameter server: The address.
  public static func shown(by server: ServerAddress) -> Dialect? {
    let candidates = candidates(at: server)
    return candidates.count == 1 ? candidates[0] : nil
  }
}
