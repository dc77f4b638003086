import JSONText
import StoryLibrary

extension Dialect {
  /// Whether a batch can hold any writes. Otherwise, it can only create records.
  public var takesMixedBatches: Bool { self != .v1 }

  /// Whether a revision is only compared reliably in a batch, which holds its collections.
  ///
  /// On PostgreSQL, Kinto compares the revision of a write without locking the record, so two writes at
  /// the same moment can both replace it.
  public var holdsCollections: Bool { self == .kinto }

  /// Returns the kinds whose collections a batch holds, in the order in which all batches take them.
  private func heldKinds(_ writes: [RemoteWrite]) -> [EntityKind] {
    holdsCollections ? Set(writes.map(\.kind)).sorted() : []
  }

  /// Returns whether a new record must be created in a batch, even on its own.
  ///
  /// The plain route of `v1` makes the server write a story.
  func createsInBatchOnly(_ kind: EntityKind) -> Bool { self == .v1 && kind == .stories }

  /// Returns whether new records of a kind are created in batches of their own; see
  /// ``creationBatch(_:of:)``.
  func createsBatches(of kind: EntityKind) -> Bool {
    self == .v1 && (kind == .heroes || kind == .stories)
  }

  /// Returns the request that creates heroes or stories of `v1`.
  func creationBatch(_ writes: [RemoteWrite], of kind: EntityKind) -> Endpoint {
    let items = JSONValue.array(
      writes.map { write in
        var item: JSONObject = ["id": .string(write.idempotencyKey)]
        for member in outboundNew(write.body, kind: kind).members {
          item[member.key] = member.value
        }
        return .object(item)
      })
    return kind == .stories
      ? .storyBatch(body: ["stories": items]) : .batch(body: ["heroes": items])
  }

  /// Decodes the answer to a ``creationBatch(_:of:)``: the server's ids of the new records, in the
  /// order of the writes.
  ///
  /// - Throws: `APIError.decoding` if the answer has another form.
  func createdIDs(
    _ writes: [RemoteWrite], at answer: AnswerPlace
  ) throws(APIError) -> [Result<String, APIError>] {
    let place = answer["results"]
    var outcomes: [String: Result<String, APIError>] = [:]
    var ids: Set<String> = []
    for made in try place["created"].elements() {
      let id = try made["serverId"].nonEmptyString()
      guard ids.insert(id).inserted else { throw made["serverId"].failure(.repeatedID) }
      outcomes[try made["localId"].nonEmptyString()] = .success(id)
    }
    if !place["failed"].isAbsent {
      for refused in try place["failed"].elements() {
        let message = try refused["error"].optionalString()
        outcomes[try refused["localId"].nonEmptyString()] =
          .failure(.validation(message: message, fields: Self.problems(inSentence: message ?? "")))
      }
    }
    return try writes.map { (write) throws(APIError) in
      guard let outcome = outcomes[write.idempotencyKey] else {
        throw place.failure(.missingResult)
      }
      return outcome
    }
  }

  /// Returns the request for any writes, in order.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be part of a path.
  func batch(_ writes: [RemoteWrite], at server: ServerAddress) throws(APIError) -> Endpoint {
    self == .kinto
      ? Endpoint(
        method: .post, path: "/batch", root: .service,
        body: .object(try kintoBatch(writes, at: server)), isBatch: true)
      : .batch(body: try operations(writes))
  }

  /// Returns `{"requests":[{"method","path","headers","body"}]}` (Kinto's HTTP API, "Batch
  /// operations").
  ///
  /// The first requests write the collections themselves. The locks on their rows last as long as
  /// the batch, so the next batch waits, and sees the revisions of this one.
  private func kintoBatch(
    _ writes: [RemoteWrite], at server: ServerAddress
  ) throws(APIError) -> JSONObject {
    var requests = heldKinds(writes).map { kind -> JSONValue in
      [
        "method": "PATCH", "path": .string("\(server.bucketPath)/collections/\(kind.rawValue)"),
        "body": ["data": ["writer": .string(writes[0].idempotencyKey)]],
      ]
    }
    for write in writes {
      let endpoint = try Endpoint.write(
        write, body: outbound(write.body, kind: write.kind), self)
      var headers: JSONObject = ["Content-Type": .string(endpoint.contentType)]
      if let tag = endpoint.revision { headers["If-Match"] = .string("\"\(tag)\"") }
      if let tag = endpoint.knownTag { headers["If-None-Match"] = .string(tag) }
      var request: JSONObject = [
        "method": .string(endpoint.method.rawValue),
        "path": .string(server.bucketPath + endpoint.path), "headers": .object(headers),
      ]
      if let body = endpoint.body { request["body"] = body }
      requests.append(.object(request))
    }
    return ["requests": .array(requests)]
  }

  private func operations(_ writes: [RemoteWrite]) throws(APIError) -> JSONObject {
    let operations = try writes.map { (write) throws(APIError) -> JSONValue in
      var operation: JSONObject = [
        "method": .string(write.operation.rawValue), "kind": .string(write.kind.schema.wirePath),
      ]
      if let id = write.id {
        _ = try Endpoint.segment(id)
        operation["id"] = .string(id)
      }
      if let revision = write.revision { operation["ifMatch"] = .string(revision) }
      operation["idempotencyKey"] = .string(write.idempotencyKey)
      if write.operation != .delete {
        operation["data"] = .object(outbound(write.body, kind: write.kind))
      }
      return .object(operation)
    }
    return ["operations": .array(operations)]
  }

  /// Decodes the answer to a batch: a result for each write, in order.
  ///
  /// An account may write records but not their collection. Its writes count all the same.
  ///
  /// - Throws: `APIError.decoding` if the answer does not have one result for each write.
  func batchResults(
    _ writes: [RemoteWrite], at answer: AnswerPlace
  ) throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    let place = self == .kinto ? answer["responses"] : answer["data"]["results"]
    let results = try place.elements()
    let held = heldKinds(writes).count
    guard results.count == held + writes.count else {
      throw place.failure(.resultCount(results.count, writes: held + writes.count))
    }
    var created: Set<String> = []
    return zip(writes, results.dropFirst(held)).map { write, result in
      Result { () throws(APIError) in
        let record = try batchResult(write, at: result)
        if write.operation == .create, let record, !created.insert(record.id).inserted {
          throw result["data"]["id"].failure(.repeatedID)
        }
        return record
      }
    }
  }

  private func batchResult(
    _ write: RemoteWrite, at place: AnswerPlace
  ) throws(APIError) -> RemoteRecord? {
    let status = try place["status"].count()
    let body = self == .kinto ? place["body"] : place
    guard (200...299).contains(status) else {
      throw error(
        status: status, body: body.value,
        RefusalContext(request: place.request, kind: write.kind, right: right(to: write.operation))
      ).about(write, self)
    }
    switch write.operation {
    case .create:
      let record = try record(write.kind, at: body["data"])
      if let id = newID(write) { try body["data"].confirm(id: id) }
      return record
    case .update: return try record(write.kind, id: write.id ?? "", at: body["data"])
    case .delete:
      if status != 204 { try body["data"].confirm(id: write.id ?? "") }
      return nil
    }
  }

  /// Returns the error that invalidates a whole batch despite its successful answer, or `nil`.
  ///
  /// A server that runs a batch as one transaction undoes all of its writes if one fails, but
  /// answers the others as if they had succeeded. None of these answers can be trusted.
  func refusalOfWhole(_ answer: AnswerPlace) -> APIError? {
    guard self == .kinto else { return nil }
    for response in answer["responses"].value?.array ?? [] {
      guard let status = response["status"]?.integer else { continue }
      let error = error(
        status: status, body: response["body"], RefusalContext(request: answer.request))
      switch error {
      case .unauthorized, .server(500..., _): return error
      default: continue
      }
    }
    return nil
  }

  /// The number of concurrent write requests that make a push faster.
  ///
  /// Two transactions of Kinto in one collection often get the same millisecond. Then one of them
  /// waits for the other, is rolled back, and must be sent again.
  public var writesAtOnce: (batches: Int, single: Int) {
    self == .kinto ? (batches: 1, single: 1) : (batches: 2, single: 6)
  }

  /// Whether a batch can be sent again, whole or in halves, whatever its outcome: a write that was
  /// already done is refused with the current record.
  var repeatsBatches: Bool { self == .kinto }
}
