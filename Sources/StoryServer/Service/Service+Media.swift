extension Service {
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
