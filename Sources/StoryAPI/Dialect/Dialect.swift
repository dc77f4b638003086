import JSONText

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

  /// Decodes a server's description of itself.
  ///
  /// - Throws: `APIError.decoding` if this is not an answer of such a server.
  func serverInfo(at answer: AnswerPlace) throws(APIError) -> ServerInfo {
    if self == .kinto { return try kintoInfo(at: answer) }
    let data = answer["data"]
    _ = try data["status"].string()
    let version = ServerText.shown(try data["version"].optionalString() ?? "", limit: 80)
    // `v1` lists no features. Its batches only create records, and are only used for that.
    var features: Set<Feature> = self == .v1 ? [.batch] : []
    if self == .v0, !data["features"].isAbsent {
      for element in try data["features"].elements() {
        if let feature = Feature(rawValue: try element.string()) { features.insert(feature) }
      }
    }
    return ServerInfo(
      version: version, dialect: self, features: features,
      pageLimit: try limit(data["limits"]["page"]),
      batchLimit: try limit(data["limits"]["batch"]))
  }

  /// The guarantee that lists depend on, or `nil` if servers of this dialect differ in it.
  var listingInfo: ServerInfo? { self == .kinto ? Self.kintoListing : nil }

  private static let kintoListing = ServerInfo(
    version: "", dialect: .kinto, features: [.etag, .tombstones, .cursor], pageLimit: 500)

  /// Decodes the answer to `GET /v1/` (Kinto's HTTP API, "Server information").
  private func kintoInfo(at answer: AnswerPlace) throws(APIError) -> ServerInfo {
    _ = try answer["http_api_version"].nonEmptyString()
    let settings = answer["settings"]
    _ = try settings.object()
    let limit = try settings["batch_max_requests"].optionalCount() ?? 25
    var info = Self.kintoListing
    info.version = ServerText.shown(
      try answer["project_version"].optionalString() ?? "", limit: 80)
    if limit > 1 { info.features.insert(.batch) }
    // One request of a batch holds the collection.
    info.batchLimit = min(max(limit - 1, 1), 500)
    info.isReadOnly = settings["readonly"].value?.bool ?? false
    info.capabilities = (answer["capabilities"].value?.object?.keys ?? []).sorted().map {
      ServerText.shown($0, limit: 80)
    }
    return info
  }

  /// Returns what the headers of any answer say about the server itself: for how long it wants to be
  /// left alone, and that it is going to end (Kinto's HTTP API, "Backoff indicators" and
  /// "Deprecation").
  static func notice(in headers: HTTPHeaders) -> (pause: Duration?, alert: String?) {
    let seconds = headers["Backoff"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    let alert = headers["Alert"].map { text in
      (try? JSONValue(parsing: Array(text.utf8)))?["message"]?.string ?? text
    }
    return (seconds.map { .seconds(min($0, 3_600)) }, alert)
  }

  private func limit(_ place: AnswerPlace) throws(APIError) -> Int {
    guard !place.isAbsent else { return 100 }
    return min(max(try place.count(), 1), 100)
  }
}
