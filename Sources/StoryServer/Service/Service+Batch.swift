import JSONText

extension Service {
  /// Answers `POST` of up to 100 writes. Each succeeds or fails independently; one flush stores
  /// them all.
  ///
  /// A key on the batch gives a key to every operation without one, so a batch whose answer was
  /// lost can be sent again as a whole.
  func batch(
    _ body: JSONNode, _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    guard let operations = body["operations"], operations.kind == .array else {
      throw .validation([("operations", "must be an array")])
    }
    let elements = operations.elements
    guard elements.count <= Self.largestBatch else {
      throw .validation([("operations", "must have at most \(Self.largestBatch) elements")])
    }
    let batchKey = try key(of: request)
    let results = elements.enumerated().map { place, element in
      Result { () throws(APIFailure) in
        var operation = try self.operation(element)
        if operation.key == nil, let batchKey { operation.key = "\(batchKey)/\(place)" }
        if options.bindsKeysToRequests { operation.shape = request.body }
        return try perform(operation, account, now)
      }
    }
    return ServerResponse(200, body: dialect.batch(results))
  }

  private func operation(_ node: JSONNode) throws(APIFailure) -> RecordOperation {
    guard node.kind == .object else {
      throw .badRequest("invalidOperation", "An operation must be a JSON object.")
    }
    func text(_ name: String) throws(APIFailure) -> String? {
      guard let member = node[name], member.kind != .null else { return nil }
      guard let text = member.string else { throw .validation([(name, "must be a string")]) }
      return text
    }
    guard let verb = try text("method").flatMap(RecordOperation.Verb.init(rawValue:)) else {
      throw .validation([("method", "must be create, update or delete")])
    }
    guard let kind = try text("kind").flatMap(RecordKind.init(rawValue:)),
      RecordKind.written.contains(kind)
    else {
      let names = RecordKind.written.map(\.rawValue).joined(separator: ", ")
      throw .validation([("kind", "must be one of \(names)")])
    }
    var operation = RecordOperation(verb: verb, kind: kind)
    if verb != .create {
      guard let id = try text("id") else { throw .validation([("id", "is missing")]) }
      operation.id = RecordID(id)
      if options.features.contains(.etag) {
        operation.condition = try text("ifMatch").map { EntityTag.Condition($0) }
      }
    }
    if verb != .delete {
      guard let data = node["data"], data.kind == .object else {
        throw .validation([("data", "must be an object")])
      }
      operation.data = data
    }
    if options.features.contains(.idempotency) {
      operation.key = try RecordOperation.checked(key: text("idempotencyKey"))
    }
    return operation
  }

  /// Answers `POST` of up to 100 new records of one kind, as `{"heroes":[…]}`. Each succeeds or
  /// fails independently. The answer maps the client's ids to the server's.
  func create(
    _ kind: RecordKind, _ body: JSONNode, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    guard let items = body[kind.rawValue], items.kind == .array else {
      throw .validation([(kind.rawValue, "must be an array")])
    }
    let elements = items.elements
    guard (1...Self.largestBatch).contains(elements.count) else {
      throw .validation([(kind.rawValue, "must have 1 to \(Self.largestBatch) elements")])
    }
    let results = elements.map { element -> ServerAPI.CreatedItem in
      (
        localID: element["id"]?.string, title: (element["title"] ?? element["name"])?.string,
        id: Result { () throws(APIFailure) in try create(kind, element, account, now) }
      )
    }
    return ServerResponse(200, body: dialect.creations(results))
  }

  private func create(
    _ kind: RecordKind, _ element: JSONNode, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> String {
    guard kind != .stories || element["content"]?.string != nil else {
      throw .validation([("content", "must be a string")])
    }
    let operation = RecordOperation(verb: .create, kind: kind, data: element)
    let record = try perform(operation, account, now).data
    return (try? JSONDocument(parsing: record))?.root["id"]?.string ?? ""
  }
}
