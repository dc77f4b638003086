package import StoryLibrary

/// Serves the pages of a program to the browsers of this machine, on 127.0.0.1 only.
///
/// It shares the HTTP server with ``StoryServer`` and has its limits; the handler does the rest.
package final class PageServer: Sendable {
  /// Answers requests, on the threads of their connections.
  package protocol Handler: Sendable {
    /// Returns the answer to a request.
    func answer(_ request: Request) -> Answer
    /// Returns the answer to a request that cannot be read or accepted.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - message: The reason as a sentence.
    func refusal(status: Int, message: String) -> Answer
    /// Returns whether a request comes from somebody who may use the pages. Others make room for
    /// them if there are too many connections.
    func isKnown(_ request: Request) -> Bool
  }

  /// A request.
  package struct Request: Sendable {
    fileprivate let http: HTTPRequest
    /// The port that it came to.
    package let port: Int

    /// The method, such as `GET`.
    package var method: String { http.method }
    /// The segments of the path, percent-decoded. An encoded slash is part of its segment.
    package var segments: [String] { http.target.segments }
    /// The fields of the query.
    package var query: FormFields { FormFields(http.target.query) ?? FormFields() }

    /// Returns the values of all header fields with a name, which must be lowercase.
    package func headers(_ name: String) -> [String] { http.headers.all(name) }

    /// The fields of a form that was sent as the body, or `nil` for another body.
    package var form: FormFields? {
      let type = http.headers["content-type"]?.prefix { $0 != ";" }.lowercased()
      guard type == "application/x-www-form-urlencoded" else { return nil }
      return FormFields(String(validating: http.body, as: UTF8.self))
    }
  }

  /// An answer.
  package struct Answer: Sendable {
    fileprivate var http: HTTPResponse

    /// The HTTP status.
    package var status: Int { http.status }

    /// Creates an answer with a body.
    package init(_ status: Int, type: String = "text/html; charset=utf-8", body: [UInt8] = []) {
      http = HTTPResponse(status, body: body)
      http.contentType = type
    }

    /// Creates an answer that leads to another page with `GET`.
    package init(seeOther address: String) {
      self.init(303)
      add("Location", address)
    }

    /// Creates an answer with a file, or with the part of it that a request asks for.
    ///
    /// - Returns: `nil` if there is no such file.
    package init?(file path: ConfinedPath, type: String, to request: Request) {
      guard let file = MediaFile(path) else { return nil }
      http = HTTPResponse(200, headers: [HTTPHeader("Accept-Ranges", "bytes")])
      http.contentType = type
      do throws(APIFailure) {
        try http.setFile(file, range: request.http.range)
      } catch {
        http.status = error.status
        http.headers += error.headers
      }
    }

    /// Adds a header field.
    package mutating func add(_ name: String, _ value: String) {
      http.headers.append(HTTPHeader(name, value))
    }
  }

  private final class Adapter: HTTPHandler {
    private let handler: any Handler
    /// The server's port, once it listens.
    let port = Monitor(0)

    init(_ handler: any Handler) { self.handler = handler }

    func answer(_ request: HTTPRequest) -> HTTPResponse? {
      handler.answer(known(request)).http
    }

    func refusal(_ failure: APIFailure) -> HTTPResponse {
      var answer = handler.refusal(status: failure.status, message: failure.message).http
      answer.headers += failure.headers
      return answer
    }

    func hasSession(_ request: HTTPRequest) -> Bool { handler.isKnown(known(request)) }

    func refusalOfBody(_ request: HTTPRequest, over limit: Int) -> APIFailure {
      .bodyTooLarge(limit: limit)
    }

    private func known(_ request: HTTPRequest) -> Request {
      Request(http: request, port: port.withLock { $0 })
    }
  }

  private let adapter: Adapter
  private let server: HTTPServer

  /// Creates a server, which does not listen yet.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for any free one.
  ///   - bodyBytes: The maximum number of bytes of a form.
  ///   - handler: Answers the requests.
  package init(port: Int, bodyBytes: Int, handler: any Handler) {
    var limits = ServerLimits()
    limits.bodyBytes = bodyBytes
    limits.anonymousBodyBytes = min(bodyBytes, limits.anonymousBodyBytes)
    limits.bodyMilliseconds = limits.headMilliseconds
    limits.graceMilliseconds = 1_000
    adapter = Adapter(handler)
    server = HTTPServer(
      host: "127.0.0.1", port: port, limits: limits, clock: { Platform.now() }, handler: adapter)
  }

  /// Binds the port and begins to answer requests. Call this at most once.
  ///
  /// - Throws: `StoryServerError.cannotListen`.
  package func start() throws {
    // A request that comes first waits here.
    try adapter.port.withLock { port in
      try server.start()
      port = server.port
    }
  }

  /// Stops listening and closes all connections, running requests after a second.
  package func stop() { server.stop() }

  /// The port that the server listens on.
  package var port: Int { server.port }
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
