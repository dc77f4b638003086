import StoryAPI
import TestSupport

/// Wire texts that many tests use.
enum Samples {
  static let hero = #"""
    {"id":"h1","name":"Luna","age":7,"traits":["brave"],"specialAbility":null,"avatarUrl":null,\#
    "createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-20T10:00:00.000Z"}
    """#
  static let story = #"""
    {"id":"s1","title":"Snow","content":"It came.","heroId":"h1","language":"en",\#
    "isFavorite":false,"playCount":0,"audioUrl":"https://media.example/a.mp3?X-Amz-Signature=1",\#
    "createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-20T10:00:00.123456Z"}
    """#
  static let health = #"""
    {"data":{"status":"healthy","version":"1.2","features":\#
    ["etag","idempotency","batch","tombstones","cursor","from-the-future"],\#
    "limits":{"page":100,"batch":100}}}
    """#

  /// A page in the first dialect.
  static func page(_ items: String, total: Int, more: String = #""hasMore":false,"next":null"#)
    -> String
  {
    #"{"data":[\#(items)],"pagination":{"total":\#(total),"limit":100,"offset":0,\#(more)}}"#
  }
}

extension APIClient {
  /// A client of a scripted server, signed in where nothing else is said.
  init(
    _ server: ScriptedServer, _ configuration: ClientConfiguration = .quick(),
    session: Session? = Session(token: Secret("secret-token"))
  ) throws {
    try self.init(
      server: ServerAddress(server.url), transport: KeepingTransport(server: server),
      configuration: configuration, session: session)
  }
}

/// The real transport; it keeps the server that it talks to from being released.
struct KeepingTransport: Transport {
  let server: ScriptedServer
  private let transport = URLSessionTransport()

  init(server: ScriptedServer) { self.server = server }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await transport.send(request)
  }
}
