import JSONText
import StoryLibrary

extension Dialect {
  /// Whether a batch may hold writes of any kind.
  var takesMixedBatches: Bool { self == .v0 }

  /// Whether batches make new records alone.
  public var makesBatchesOfNew: Bool { !takesMixedBatches }

  /// Whether a new record of that kind is made in a batch even where it is the only one.
  ///
  /// The plain route of `v1` has the server write a story of its own.
  func createsInBatchOnly(_ kind: EntityKind) -> Bool { self == .v1 && kind == .stories }

  /// The request that makes new records of one kind; `nil` where there is none for it.
  func creationBatch(_ writes: [RemoteWrite], of kind: EntityKind) -> Endpoint? {
    let items = JSONValue.array(
      writes.map { write in
        var item: JSONObject = ["id": .string(write.idempotencyKey)]
        for member in outboundNew(write.body, kind: kind).members {
          item[member.key] = member.value
        }
        return .object(item)
      })
    return switch (self, kind) {
    case (.v1, .heroes): .batch(body: ["heroes": items])
    case (.v1, .stories): .storyBatch(body: ["stories": items])
    default: nil
    }
  }

  /// Decodes the answer to a ``creationBatch(_:of:)``: the server's id of each new record, in the
  /// order of the writes.
  ///
  /// - Throws: `APIError.decoding` where the answer has another shape.
  func createdIDs(
    _ writes: [RemoteWrite], at answer: AnswerPlace
  ) throws(APIError) -> [Result<String, APIError>] {
    let place = answer["results"]
    var outcomes: [String: Result<String, APIError>] = [:]
    var ids: Set<String> = []
    for made in try place["created"].elements() {
      let id = try made["serverId"].nonEmptyString()
      guard ids.insert(id).inserted else { throw made["serverId"].failure("the same id twice") }
      outcomes[try made["localId"].nonEmptyString()] = .success(id)
    }
    if !place["failed"].isAbsent {
      for refused in try place["failed"].elements() {
        let message = try refused["error"].optionalString()
        outcomes[try refused["localId"].nonEmptyString()] =
          .failure(.validation(message: message, fields: Self.problems(inSentence: message ?? "")))
      }
    }
    var results: [Result<String, APIError>] = []
    for write in writes {
      guard let outcome = outcomes[write.idempotencyKey] else {
        throw place.failure("nothing of one of the records that were sent")
      }
      results.append(outcome)
    }
    return results
  }

  /// The body of a batch of writes of any kind, in order.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that no path could hold either.
  func batchBody(_ writes: [RemoteWrite]) throws(APIError) -> JSONObject {
    var operations: [JSONValue] = []
    for write in writes {
      var operation: JSONObject = [
        "method": .string(write.operation.rawValue), "kind": .string(write.kind.schema.wirePath),
      ]
      if let id = write.id {
        _ = try PathSegment(id: id)
        operation["id"] = .string(id)
      }
      if let revision = write.revision { operation["ifMatch"] = .string(revision) }
      operation["idempotencyKey"] = .string(write.idempotencyKey)
      if write.operation != .delete {
        operation["data"] = .object(outbound(write.body, kind: write.kind))
      }
      operations.append(.object(operation))
    }
    return ["operations": .array(operations)]
  }

  /// Decodes the answer to a batch, one result for each write and in their order.
  ///
  /// - Throws: `APIError.decoding` where the answer does not have one result for each.
  func batchResults(
    _ writes: [RemoteWrite], at answer: AnswerPlace
  ) throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    let place = answer["data"]["results"]
    let results = try place.elements()
    guard results.count == writes.count else {
      throw place.failure("\(results.count) results for \(writes.count) writes")
    }
    var created: Set<String> = []
    return zip(writes, results).map { write, result in
      Result { () throws(APIError) in
        let record = try batchResult(write, at: result)
        if write.operation == .create, let record, !created.insert(record.id).inserted {
          throw result["data"]["id"].failure("the same id twice")
        }
        return record
      }
    }
  }

  private func batchResult(
    _ write: RemoteWrite, at place: AnswerPlace
  ) throws(APIError) -> RemoteRecord? {
    let status = try place["status"].count()
    guard (200...299).contains(status) else {
      throw error(
        status: status, body: place.value,
        RefusalContext(request: place.request, kind: write.kind)
      ).about(write)
    }
    switch write.operation {
    case .create: return try record(write.kind, at: place["data"])
    case .update: return try record(write.kind, id: write.id ?? "", at: place["data"])
    case .delete:
      try confirmDeletion(of: write.id ?? "", status: status, at: place["data"])
      return nil
    }
  }

  /// Checks that an answer says that a record is deleted now: status 204, or its id at `place`.
  ///
  /// - Throws: `APIError.decoding` if it says nothing of that record.
  func confirmDeletion(
    of id: String, status: Int, at place: AnswerPlace
  ) throws(APIError) {
    if status != 204 { try place.confirm(id: id) }
  }
}
