/// What a server can do beyond the least; its health answer lists them.
public enum Feature: String, Sendable, Hashable, CaseIterable {
  /// Writes may say which version they are based on, and are refused where it is gone.
  case etag
  /// A write that is sent twice with one key is done once.
  case idempotency
  /// Many writes in one request.
  case batch
  /// Lists tell which records were deleted.
  case tombstones
  /// Lists are paged by a mark that changes cannot shift.
  case cursor
}

/// What a server says of itself.
public struct ServerInfo: Sendable, Hashable {
  /// The server's version, as it writes it.
  public var version: String
  /// Which shape of the contract it speaks.
  public var dialect: Dialect
  /// What it can do; names that this program does not know are left out.
  public var features: Set<Feature>
  /// The most records in a page.
  public var pageLimit: Int
  /// The most writes in a batch.
  public var batchLimit: Int
  /// Whether the server takes no writes at present.
  public var isReadOnly = false
  /// What else the server says that it has, in its own words.
  public var capabilities: [String] = []

  /// What is known of a server, from its parts.
  public init(
    version: String, dialect: Dialect, features: Set<Feature>, pageLimit: Int = 100,
    batchLimit: Int = 100
  ) {
    self.version = version
    self.dialect = dialect
    self.features = features
    self.pageLimit = pageLimit
    self.batchLimit = batchLimit
  }

  /// Returns whether a write that is sent twice is done once.
  public func doesOnce(_ operation: RemoteWrite.Operation) -> Bool {
    features.contains(.idempotency) || (operation == .create && dialect.givesIDs)
  }

  /// Makes sure that the server has a place for the records of an address.
  ///
  /// - Throws: `APIError.unsupported` if the address names no bucket and nobody has one of their own.
  func checkBucket(of server: ServerAddress) throws(APIError) {
    guard dialect == .kinto, server.bucket == nil || server.bucket == "default" else { return }
    guard capabilities.contains("default_bucket") else {
      throw .unsupported(.noBucket(server: server.text))
    }
  }
}
