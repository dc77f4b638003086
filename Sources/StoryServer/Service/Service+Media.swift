extension Service {
  /// `GET` of a file that the server made, or of a part of it.
  func media(
    _ name: MediaName, _ request: HTTPRequest, _ account: Int?
  ) throws(APIFailure) -> HTTPResponse {
    if let account, account != name.account { throw .noSuchPath }
    var opened = workshop.media.open(name)
    if opened == nil { opened = try workshop.restore(name) }
    guard let file = opened else { throw .noSuchPath }
    // A file never changes: its name says all that there is to say of its version.
    let tag = EntityTag.field(String(name.file.prefix(16)))
    var response = HTTPResponse(
      200,
      headers: [
        HTTPHeader("ETag", tag), HTTPHeader("Accept-Ranges", "bytes"),
        HTTPHeader("Cache-Control", "private, max-age=31536000, immutable"),
      ])
    response.contentType = name.type.contentType
    let version = String(name.file.prefix(16))
    if let condition = request.headers["if-none-match"],
      EntityTag.Condition(condition, isWeak: true).matches(version)
    {
      response.status = 304
      return response
    }
    var range = ByteRange(
      request.method == "GET" ? request.headers["range"] : nil, size: file.size)
    // RFC 9110, section 13.1.5: the part goes with what the client has, or it gets everything.
    if let condition = request.headers["if-range"], condition != tag { range = .whole }
    switch range {
    case .whole:
      response.file = .init(file: file, range: 0..<file.size)
    case .part(let part):
      response.status = 206
      response.file = .init(file: file, range: part)
      response.headers.append(
        HTTPHeader(
          "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"))
    case .unsatisfiable:
      throw APIFailure(
        416, "rangeNotSatisfiable", "The file has \(file.size) bytes.",
        headers: [HTTPHeader("Content-Range", "bytes */\(file.size)")])
    }
    return response
  }
}
