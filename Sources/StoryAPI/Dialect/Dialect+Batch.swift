import JSONText
import StoryLibrary

extension Dialect {
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
    return zip(writes, results).map { write, result in
      Result { () throws(APIError) in try batchResult(write, at: result) }
    }
  }

  private func batchResult(
    _ write: RemoteWrite, at place: AnswerPlace
  ) throws(APIError) -> RemoteRecord? {
    let status = try place["status"].count()
    guard (200...299).contains(status) else {
      throw error(
        status: status, body: place.value,
        RefusalContext(request: place.request, kind: write.kind))
    }
    return write.operation == .delete ? nil : try record(write.kind, at: place["data"])
  }
}
