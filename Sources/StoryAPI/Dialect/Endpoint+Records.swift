package import JSONText
package import StoryLibrary

/// Requests about records.
///
/// All throw `APIError.unsupported` for a kind without a list of its own, and those with an id
/// `invalidIdentifier` if it cannot be part of a path.
extension Endpoint {
  /// Requests a server's description of itself.
  package static func health(_ dialect: Dialect) -> Endpoint {
    dialect == .kinto
      ? Endpoint(method: .get, path: "/", root: .service, authorization: .optional)
      : Endpoint(method: .get, path: dialect.base + "/health", authorization: .optional)
  }

  /// Requests a page of a kind's records.
  package static func list(
    _ kind: EntityKind, _ page: PageRequest, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(
      method: .get, path: try collection(kind, dialect), root: dialect.recordRoot,
      query: dialect.query(for: page, of: kind), knownTag: page.knownTag)
  }

  static func total(_ kind: EntityKind, _ dialect: Dialect) throws(APIError) -> Endpoint {
    Endpoint(method: .head, path: try collection(kind, dialect), root: dialect.recordRoot)
  }

  static func makeCollection(_ kind: EntityKind) -> Endpoint {
    Endpoint(method: .put, path: "/collections/" + kind.rawValue, root: .bucket, knownTag: "*")
  }

  static let bucket = Endpoint(method: .get, path: "", root: .bucket)

  static let makeBucket = Endpoint(method: .put, path: "", root: .bucket, knownTag: "*")

  package static func record(
    _ kind: EntityKind, id: String, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    Endpoint(method: .get, path: try item(kind, id, dialect), root: dialect.recordRoot)
  }

  /// Creates, changes or deletes a record. `body` has the dialect's own form.
  package static func write(
    _ write: RemoteWrite, body: JSONObject, _ dialect: Dialect
  ) throws(APIError) -> Endpoint {
    let (kind, key, isKinto) = (write.kind, write.idempotencyKey, dialect == .kinto)
    let wrapped: JSONValue = isKinto ? ["data": .object(body)] : .object(body)
    switch write.operation {
    case .create:
      guard let id = dialect.newID(write) else {
        return Endpoint(
          method: .post, path: try collection(kind, dialect), body: wrapped, idempotencyKey: key)
      }
      return Endpoint(
        method: .put, path: try item(kind, id, dialect), root: dialect.recordRoot, body: wrapped,
        knownTag: "*")
    case .update:
      // RFC 7396: null removes a member.
      return Endpoint(
        method: .patch, path: try item(kind, write.id ?? "", dialect), root: dialect.recordRoot,
        body: wrapped, contentType: isKinto ? "application/merge-patch+json" : "application/json",
        revision: try write.revision.map(dialect.tag), idempotencyKey: isKinto ? nil : key)
    case .delete:
      return Endpoint(
        method: .delete, path: try item(kind, write.id ?? "", dialect), root: dialect.recordRoot,
        revision: try write.revision.map(dialect.tag), idempotencyKey: isKinto ? nil : key)
    }
  }

  /// The maximum number of bytes in the answer to a batch of writes, which has all of their
  /// records: 32 MiB.
  static let batchAnswerLimit = 32 << 20

  /// Sends many writes at once. The content of `body` depends on the dialect.
  package static func batch(body: JSONObject) -> Endpoint {
    Endpoint(
      method: .post, path: "/api/batch", body: .object(body), isBatch: body["operations"] != nil)
  }

  /// Creates stories with their own text on a server that, asked for one, would write a story itself.
  package static func storyBatch(body: JSONObject) -> Endpoint {
    Endpoint(method: .post, path: "/api/batch/stories", body: .object(body))
  }

  /// Increments a story's play count.
  package static func play(storyID: String, _ dialect: Dialect) throws(APIError) -> Endpoint {
    Endpoint(method: .post, path: try item(.stories, storyID, dialect) + "/play")
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
    try collection(kind, dialect) + "/" + segment(id)
  }
}
