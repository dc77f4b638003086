package import StoryLibrary

extension HTTPServer {
  /// Creates a server for pages of a program, for the browsers of this machine, on 127.0.0.1 only.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for any free one.
  ///   - bodyBytes: The maximum number of bytes of a form.
  ///   - handler: Answers the requests.
  package convenience init(pagesAt port: Int, bodyBytes: Int, handler: any RequestHandler) {
    var limits = ServerLimits()
    limits.bodyBytes = bodyBytes
    // A form of an earlier run has no cookie of this one, but a text that is shown to whoever typed it.
    limits.anonymousBodyBytes = min(bodyBytes, 1 << 20)
    limits.bodyMilliseconds = limits.headMilliseconds
    limits.graceMilliseconds = 1_000
    self.init(
      host: "127.0.0.1", port: port, limits: limits, clock: { Platform.now() }, handler: handler)
  }
}

extension ServerRequest {
  /// The fields of the query.
  package var query: FormFields { FormFields(target.query) ?? FormFields() }

  /// The fields of a form that was sent as the body, or `nil` for another body.
  package var form: FormFields? {
    let type = headers["content-type"]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/x-www-form-urlencoded" else { return nil }
    return FormFields(String(validating: body, as: UTF8.self))
  }
}

extension ServerResponse {
  /// Creates an answer with a body of some content type.
  package init(_ status: Int, type: String, body: [UInt8]) {
    self.init(status, headers: [], body: body)
    contentType = type
  }

  /// Creates an answer that leads to another page with `GET`.
  package init(seeOther address: String) {
    self.init(303, headers: [HTTPHeader("Location", address)])
  }

  /// Creates an answer with a file, or with the part of it that a request asks for.
  ///
  /// - Returns: `nil` if there is no such file.
  package init?(file path: ConfinedPath, type: String, to request: ServerRequest) {
    guard let file = MediaFile(path) else { return nil }
    self.init(200, headers: [HTTPHeader("Accept-Ranges", "bytes")])
    contentType = type
    do throws(APIFailure) {
      try setFile(file, range: request.range)
    } catch {
      status = error.status
      headers += error.headers
    }
  }
}

/// The fields of a form (`application/x-www-form-urlencoded`, URL Standard, section 5.1).
package struct FormFields: Sendable, Hashable {
  private var fields: [HTTPTarget.Parameter] = []

  /// Creates a form without fields.
  package init() {}

  /// Reads fields, or returns `nil` if their encoding is not valid.
  package init?(_ text: String?) {
    let spaced = text?.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
    guard let fields = spaced.flatMap(HTTPTarget.parameters) else { return nil }
    self.fields = fields
  }

  /// The value of the first field with a name.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}
