import JSONText

extension Dialect {
  /// Decodes what a server says of itself.
  ///
  /// - Throws: `APIError.decoding` where this is not the answer of such a server.
  func serverInfo(at answer: AnswerPlace) throws(APIError) -> ServerInfo {
    let data = answer["data"]
    _ = try data["status"].string()
    let version = ServerText.shown(try data["version"].optionalString() ?? "", limit: 80)
    switch self {
    case .v0:
      var features: Set<Feature> = []
      if !data["features"].isAbsent {
        for element in try data["features"].elements() {
          if let feature = Feature(rawValue: try element.string()) { features.insert(feature) }
        }
      }
      return ServerInfo(
        version: version, dialect: self, features: features,
        pageLimit: try limit(data["limits"]["page"]),
        batchLimit: try limit(data["limits"]["batch"]))
    // It names none; its batches make new records only, which is what they are used for.
    case .v1:
      return ServerInfo(
        version: version, dialect: self, features: [.batch],
        pageLimit: try limit(data["limits"]["page"]),
        batchLimit: try limit(data["limits"]["batch"]))
    }
  }

  private func limit(_ place: AnswerPlace) throws(APIError) -> Int {
    guard !place.isAbsent else { return 100 }
    return min(max(try place.count(), 1), 100)
  }
}
