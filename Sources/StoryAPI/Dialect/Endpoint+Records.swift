public import JSONText
public import StoryLibrary

extension Endpoint {
  /// Requests a server's description of itself.
  public static func health(_ dialect: Dialect) -> Endpoint {
    dialect == .kinto
      ? Endpoint(.get, "/", from: .service, authorization: .optional)
      : Endpoint(.get, dialect.base + "/health", authorization: .optional)
  }

  /// Requests a page of a kind's records.
  ///
  /// - Throws: `APIError.unsupported` for a kind without a list of its own.
  public static func list(
    _ kind: EntityKind, _ page: PageRequest, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(
      .get, try collection(kind, dialect), from: dialect.recordRoot,
      query: dialect.query(for: page, of: kind), knownTag: page.knownTag)
  }

  /// Requests only the number of a kind's records.
  ///
  /// - Throws: `APIError.unsupported`, like ``list(_:_:_:)``.
  static func total(_ kind: EntityKind, _ dialect: Dialect) throws(APIError) -> Endpoint {
    Endpoint(.head, try collection(kind, dialect), from: dialect.recordRoot)
  }

  /// Creates the collection of a kind in a bucket, unless it exists.
  static func makeCollection(_ kind: EntityKind) -> Endpoint {
    Endpoint(.put, "/collections/" + kind.rawValue, from: .bucket, knownTag: "*")
  }

  /// Requests a bucket, without its records.
  static let bucket = Endpoint(.get, "", from: .bucket)

  /// Creates a bucket, unless it exists.
  static let makeBucket = Endpoint(.put, "", from: .bucket, knownTag: "*")

  /// Requests a record.
  ///
  /// - Throws: `APIError.unsupported`, like ``list(_:_:_:)``, or `APIError.invalidIdentifier` for
  ///   an id that cannot be part of a path.
  public static func record(
    _ kind: EntityKind, id: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(.get, try item(kind, id, dialect), from: dialect.recordRoot)
  }

  /// Creates a record. `body` has the dialect's own form.
  ///
  /// - Throws: `APIError.unsupported`, like ``list(_:_:_:)``.
  public static func create(
    _ kind: EntityKind, body: JSONObject, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    guard dialect.givesIDs else {
      return Endpoint(
        .post, try collection(kind, dialect), body: .object(body), idempotencyKey: idempotencyKey)
    }
    let id = KintoForm.id(key: idempotencyKey ?? RemoteWrite.makeKey())
    return Endpoint(
      .put, try item(kind, id, dialect), from: dialect.recordRoot,
      body: ["data": .object(body)], knownTag: "*")
  }

  /// Changes the members of a record that are in `body`, which has the dialect's own form.
  ///
  /// - Throws: The errors of ``record(_:id:_:)``.
  public static func update(
    _ kind: EntityKind, id: String, body: JSONObject, revision: String?, idempotencyKey: String?,
    _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    guard dialect == .kinto else {
      return Endpoint(
        .patch, try item(kind, id, dialect), body: .object(body), revision: revision,
        idempotencyKey: idempotencyKey)
    }
    // RFC 7396: null removes a member.
    return Endpoint(
      .patch, try item(kind, id, dialect), from: dialect.recordRoot,
      body: ["data": .object(body)], contentType: "application/merge-patch+json",
      revision: try revision.map(dialect.tag))
  }

  /// Deletes a record.
  ///
  /// - Throws: The errors of ``record(_:id:_:)``.
  public static func delete(
    _ kind: EntityKind, id: String, revision: String?, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    try Endpoint(
      .delete, item(kind, id, dialect), from: dialect.recordRoot,
      revision: revision.map(dialect.tag),
      idempotencyKey: dialect == .kinto ? nil : idempotencyKey)
  }

  /// The maximum number of bytes in the answer to a batch of writes, which has all of their
  /// records: 32 MiB.
  static let batchAnswerLimit = 32 << 20

  /// Sends many writes at once. The content of `body` depends on the dialect.
  public static func batch(body: JSONObject) -> Endpoint {
    Endpoint(.post, "/api/batch", body: .object(body), isBatch: body["operations"] != nil)
  }

  /// Creates stories with their own text on a server whose ``create(_:body:idempotencyKey:_:)``
  /// would write a story.
  public static func storyBatch(body: JSONObject) -> Endpoint {
    Endpoint(.post, "/api/batch/stories", body: .object(body))
  }

  /// Increments a story's play count.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path.
  public static func play(storyID: String, _ dialect: Dialect) throws(APIError) -> Endpoint {
    Endpoint(.post, try item(.stories, storyID, dialect) + "/play")
  }

  static func collection(_ kind: EntityKind, _ dialect: Dialect) throws(APIError) -> String {
    guard !kind.schema.isReadOnly else {
      throw .unsupported(.allIllustrations)
    }
    return dialect == .kinto
      ? "/collections/\(kind.rawValue)/records" : dialect.base + "/" + kind.schema.wirePath
  }

  /// The right that the request needs, if the server has a name for it (Kinto's HTTP API,
  /// "Permissions").
  var right: String? {
    guard root == .bucket else { return nil }
    return switch method {
    case .get, .head: "read"
    case .patch, .delete: "write"
    case .put, .post:
      path.isEmpty
        ? "bucket:create"
        : path.hasSuffix("/records") || path.contains("/records/")
          ? "record:create" : "collection:create"
    }
  }

  static func item(
    _ kind: EntityKind, _ id: String, _ dialect: Dialect
  ) throws(APIError) -> String {
    try collection(kind, dialect) + "/" + PathSegment(id: id).encoded
  }
}
