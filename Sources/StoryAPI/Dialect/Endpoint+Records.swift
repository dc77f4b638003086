public import JSONText
public import StoryLibrary

extension Endpoint {
  /// What the server says of itself.
  public static func health(_ dialect: Dialect) -> Endpoint {
    Endpoint(.get, dialect.base + "/health", authorization: .optional)
  }

  /// One page of a kind's records.
  ///
  /// - Throws: `APIError.unsupported` for a kind that has no list of its own.
  public static func list(
    _ kind: EntityKind, _ page: PageRequest, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(.get, try collection(kind, dialect), query: dialect.query(for: page, of: kind))
  }

  /// One record.
  ///
  /// - Throws: `APIError.unsupported` as ``list(_:_:_:)``, `APIError.invalidIdentifier` for an id
  ///   that no path can hold.
  public static func record(
    _ kind: EntityKind, id: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(.get, try item(kind, id, dialect))
  }

  /// Creates a record; `body` is in the dialect's own form.
  ///
  /// - Throws: `APIError.unsupported` as ``list(_:_:_:)``.
  public static func create(
    _ kind: EntityKind, body: JSONObject, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(
      .post, try collection(kind, dialect), body: .object(body), idempotencyKey: idempotencyKey)
  }

  /// Changes the members of a record that `body` names, in the dialect's own form.
  ///
  /// - Throws: as ``record(_:id:_:)``.
  public static func update(
    _ kind: EntityKind, id: String, body: JSONObject, revision: String?, idempotencyKey: String?,
    _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(
      .patch, try item(kind, id, dialect), body: .object(body), revision: revision,
      idempotencyKey: idempotencyKey)
  }

  /// Deletes a record.
  ///
  /// - Throws: as ``record(_:id:_:)``.
  public static func delete(
    _ kind: EntityKind, id: String, revision: String?, idempotencyKey: String?, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(
      .delete, try item(kind, id, dialect), revision: revision, idempotencyKey: idempotencyKey)
  }

  /// The most bytes of the answer to a batch of writes, which holds all their records: 32 MiB.
  static let batchAnswerLimit = 32 << 20

  /// Many writes at once; what `body` holds differs between the dialects.
  public static func batch(body: JSONObject) -> Endpoint {
    Endpoint(.post, "/api/batch", body: .object(body), hasKeys: body["operations"] != nil)
  }

  /// Creates stories with text of their own where ``create(_:body:idempotencyKey:_:)`` would have
  /// the server write one.
  public static func storyBatch(body: JSONObject) -> Endpoint {
    Endpoint(.post, "/api/batch/stories", body: .object(body))
  }

  /// Counts one more reading of a story.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path can hold.
  public static func play(storyID: String, _ dialect: Dialect) throws(APIError) -> Endpoint {
    Endpoint(.post, try item(.stories, storyID, dialect) + "/play")
  }

  static func collection(_ kind: EntityKind, _ dialect: Dialect) throws(APIError) -> String {
    guard !kind.schema.isReadOnly else {
      throw .unsupported(.allIllustrations)
    }
    return dialect.base + "/" + kind.schema.wirePath
  }

  static func item(
    _ kind: EntityKind, _ id: String, _ dialect: Dialect
  ) throws(APIError) -> String {
    try collection(kind, dialect) + "/" + PathSegment(id: id).encoded
  }
}
