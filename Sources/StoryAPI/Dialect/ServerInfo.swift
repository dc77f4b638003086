/// An optional feature of a server, listed in its health answer.
public enum Feature: String, Sendable, Hashable, CaseIterable {
  /// Writes can name the revision that they are based on, and are refused if there is a newer one.
  case etag
  /// A write that is sent twice with the same key is done once.
  case idempotency
  /// Several writes can be sent in one request.
  case batch
  /// Lists can include deleted records.
  case tombstones
  /// Lists are paged by a cursor, which changes cannot shift.
  case cursor
}

/// A server's description of itself.
public struct ServerInfo: Sendable, Hashable {
  /// The server's version, verbatim.
  public var version: String
  /// The server's dialect of the contract.
  public var dialect: Dialect
  /// The server's features. Unknown names are ignored.
  public var features: Set<Feature>
  /// The maximum number of records in a page.
  public var pageLimit: Int
  /// The maximum number of writes in a batch.
  public var batchLimit: Int
  /// Whether the server currently refuses writes.
  public var isReadOnly = false
  /// Additional capabilities, as named by the server.
  public var capabilities: [String] = []

  /// Creates a description.
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
  ///
  /// - Parameter operation: The kind of write.
  public func doesOnce(_ operation: RemoteWrite.Operation) -> Bool {
    features.contains(.idempotency) || (operation == .create && dialect.givesIDs)
  }

  /// Checks that the server has a bucket for an address.
  ///
  /// - Throws: `APIError.unsupported` if the address names no bucket and accounts have no bucket of
  ///   their own.
  func checkBucket(of server: ServerAddress) throws(APIError) {
    guard dialect == .kinto, server.bucket == nil || server.bucket == "default" else { return }
    guard capabilities.contains("default_bucket") else {
      throw .unsupported(.noBucket(server: server.text))
    }
  }
}
