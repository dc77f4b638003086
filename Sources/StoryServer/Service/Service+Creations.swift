import JSONText

extension Service {
  /// `POST` of up to 100 new records of one kind, as `{"heroes":[…]}`. Each stands alone; the answer
  /// tells their ids under the names that the client gave them.
  func create(
    _ kind: RecordKind, _ body: JSONNode, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> HTTPResponse {
    guard let items = body[kind.rawValue], items.kind == .array else {
      throw .validation([(kind.rawValue, "must be an array")])
    }
    let elements = items.elements
    guard (1...Self.largestBatch).contains(elements.count) else {
      throw .validation([(kind.rawValue, "must have 1 to \(Self.largestBatch) elements")])
    }
    let results = elements.map { element in
      CreatedItem(
        localID: element["id"]?.string,
        title: (element["title"] ?? element["name"])?.string,
        id: Result { () throws(APIFailure) in try create(kind, element, account, now) })
    }
    return HTTPResponse(200, body: dialect.creations(results))
  }

  private func create(
    _ kind: RecordKind, _ element: JSONNode, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> String {
    guard kind != .stories || element["content"]?.string != nil else {
      throw .validation([("content", "must be a string")])
    }
    let operation = RecordOperation(verb: .create, kind: kind, data: element)
    switch perform(operation, account, now) {
    case .done(let done):
      return (try? JSONDocument(parsing: done.data))?.root["id"]?.string ?? ""
    case .failed(let failure): throw failure
    }
  }
}
