import JSONText

extension Service {
  func list(
    _ kind: RecordKind, _ request: ServerRequest, _ account: Int
  ) throws(APIFailure) -> ServerResponse {
    let media = media(for: request)
    let query = try dialect.query(
      request.target.parameters, of: kind, features: options.features)
    let (page, all) = try stored(try store.page(query, of: kind, account: account))
    let records = try page.slots.map { (slot) throws(APIFailure) in
      dialect.shown(try stored(try store.text(of: slot)), of: kind, media)
    }
    let body = dialect.list(
      records, page, all: all, of: kind, query: query,
      hasCursor: options.features.contains(.cursor))
    return ServerResponse(200, body: body)
  }

  func read(
    _ kind: RecordKind, _ id: RecordID, _ request: ServerRequest, _ account: Int
  ) throws(APIFailure) -> ServerResponse {
    guard let record = try stored(try store.record(kind, id, of: account)) else {
      throw .noSuchRecord(kind)
    }
    let headers = tag(of: record)
    let isWhole =
      kind == .stories && request.target.parameters.contains(Self.includesIllustrations)
    if !isWhole, options.features.contains(.etag),
      let condition = request.headers["if-none-match"],
      let version = EntityTag.version(of: record),
      EntityTag.Condition(condition, isWeak: true).matches(version)
    {
      return ServerResponse(304, headers: headers)
    }
    let media = media(for: request)
    var shown = dialect.shown(record, of: kind, media)
    if isWhole {
      var story = JSONObjectWriter(reserving: shown.count)
      for member in (try? JSONDocument(parsing: shown))?.root.members ?? [] { story.append(member) }
      story.append("illustrations", written: try illustrations(of: id, account, media)[...])
      shown = story.finish()
    }
    return ServerResponse(200, headers: headers, body: dialect.record(shown))
  }

  private static let includesIllustrations = HTTPTarget.Parameter(
    name: "includeIllustrations", value: "true")

  /// Answers `POST`, `PATCH` or `DELETE` of one record.
  func write(
    _ verb: RecordOperation.Verb, _ kind: RecordKind, _ id: RecordID?, _ body: JSONNode?,
    _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    var operation = RecordOperation(verb: verb, kind: kind, id: id, data: body)
    if options.features.contains(.etag), verb != .create {
      let fields = request.headers.all("if-match")
      if !fields.isEmpty {
        operation.condition = EntityTag.Condition(fields.joined(separator: ","))
      }
    }
    operation.key = try key(of: request)
    return response(with: try perform(operation, account, now), of: kind, to: request)
  }

  /// Returns a count plus one, limited to the maximum that a record may hold.
  static func oneMore(than count: JSONNode?) -> Int {
    min(max(0, count?.number?.integer ?? 0), Int(Int32.max) - 1) + 1
  }

  func play(_ id: RecordID, _ account: Int, _ now: Int64) throws(APIFailure) -> ServerResponse {
    let record = try store.change(account, now: now) { (changes) throws(APIFailure) in
      let count = Self.oneMore(than: try changes.record(.stories, id)?["playCount"])
      return try changes.change(
        .stories, id,
        [
          ("playCount", .number(count)),
          ("lastPlayedAt", .string(Timestamp(milliseconds: now).text)),
        ])
    }
    guard let record else { throw .noSuchRecord(.stories) }
    let story = (try? JSONDocument(parsing: record))?.root
    var answer = JSONObject()
    for name in ["id", "playCount", "lastPlayedAt"] { answer[name] = story?[name]?.value ?? .null }
    return ServerResponse(200, body: dialect.record(JSONValue.object(answer).compactBytes))
  }

  func perform(
    _ operation: RecordOperation, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> Outcome {
    try once(
      operation.key, operation.content, account, status: operation.verb == .create ? 201 : 200, now
    ) { (remembered) throws(APIFailure) in
      let (answer, removed) = try store.perform(
        operation, remembered, of: account, now: now, rules: dialect, newID: newID)
      for item in removed { workshop.media.remove(item.kind, item.id, of: account) }
      removeOutdatedNarration(operation, answer, account)
      return answer
    }
  }

  /// Removes the narration of a story whose text has changed.
  private func removeOutdatedNarration(
    _ operation: RecordOperation, _ story: [UInt8], _ account: Int
  ) {
    guard operation.verb == .update, operation.kind == .stories,
      operation.data?["content"] != nil, let id = operation.id,
      (try? JSONDocument(parsing: story))?.root["audioUrl"]?.string == nil
    else { return }
    workshop.media.remove(.stories, id, of: account)
  }

  /// Returns the header field with the version of a record, if the server supports it.
  func tag(of record: [UInt8]) -> [HTTPHeader] {
    guard options.features.contains(.etag), let version = EntityTag.version(of: record) else {
      return []
    }
    return [HTTPHeader("ETag", EntityTag.field(version))]
  }

  func media(
    _ name: MediaName, _ request: ServerRequest, _ account: Int
  ) throws(APIFailure) -> ServerResponse {
    guard account == name.account else { throw .noSuchPath }
    var opened = workshop.media.open(name)
    if opened == nil { opened = try workshop.restore(name) }
    guard let file = opened else { throw .noSuchPath }
    // A file never changes, so its name identifies its version.
    let version = String(name.file.prefix(16))
    let tag = EntityTag.field(version)
    var response = ServerResponse(
      200,
      headers: [
        HTTPHeader("ETag", tag), HTTPHeader("Accept-Ranges", "bytes"),
        HTTPHeader("Cache-Control", "private, max-age=31536000, immutable"),
      ])
    response.contentType = name.type.contentType
    if let condition = request.headers["if-none-match"],
      EntityTag.Condition(condition, isWeak: true).matches(version)
    {
      response.status = 304
      return response
    }
    // RFC 9110, section 13.1.5: send a range only if the client has this version, or else
    // everything.
    let isCurrent = request.headers["if-range"].map { $0 == tag } ?? true
    try response.setFile(file, range: isCurrent ? request.range : nil)
    return response
  }
}
