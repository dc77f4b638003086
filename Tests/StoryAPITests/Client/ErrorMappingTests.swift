import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@Suite(.inTurn) struct ErrorMappingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var body: String
    var headers: [String: String] = [:]
    var error: APIError
    var testDescription: String { name }
  }

  static let now = ServerDate(seconds: 1_795_168_800)  // 2026-11-20T10:00:00Z
  static let cases = [
    Case(
      name: "400 with fields", status: 400,
      body:
        #"{"error":{"code":"validation","message":"no","details":{"age":"3 to 12","name":"empty"}}}"#,
      error: .validation(
        message: "no",
        fields: [.init(field: "age", message: "3 to 12"), .init(field: "name", message: "empty")])),
    Case(
      name: "400 without details", status: 400, body: #"{"error":{"message":"no"}}"#,
      error: .validation(message: "no", fields: [])),
    Case(
      name: "400 with a web page", status: 400, body: "<html>",
      error: .validation(message: nil, fields: [])),
    Case(name: "401", status: 401, body: "{}", error: .unauthorized(.sessionExpired)),
    Case(
      name: "403", status: 403, body: #"{"error":{"message":"not yours"}}"#,
      error: .forbidden(message: "not yours")),
    Case(name: "404 with any body", status: 404, body: "gone", error: .notFound),
    Case(
      name: "405", status: 405, body: #"{"message":"no"}"#,
      error: .server(status: 405, message: "no")),
    Case(name: "409", status: 409, body: #"{"error":"taken"}"#, error: .conflict(message: "taken")),
    Case(
      name: "412 without the record", status: 412, body: "{}",
      error: .preconditionFailed(current: nil)),
    Case(
      name: "412 with half a record", status: 412, body: #"{"data":{"id":"h1"}}"#,
      error: .preconditionFailed(current: nil)),
    Case(name: "413", status: 413, body: "", error: .tooLarge),
    Case(
      name: "422", status: 422, body: #"{"error":{"message":"key used again"}}"#,
      error: .validation(message: "key used again", fields: [])),
    Case(name: "429 without a hint", status: 429, body: "{}", error: .rateLimited(until: nil)),
    Case(
      name: "429 in seconds", status: 429, body: "{}", headers: ["Retry-After": " 90 "],
      error: .rateLimited(until: now.advanced(by: .seconds(90)))),
    Case(
      name: "429 with a date, by the server's clock", status: 429, body: "{}",
      headers: [
        "Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
      ], error: .rateLimited(until: now.advanced(by: .seconds(60)))),
    Case(
      name: "429 with a date that has passed", status: 429, body: "{}",
      headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], error: .rateLimited(until: now)),
    Case(
      name: "429 with a reset time", status: 429, body: "{}",
      headers: ["X-RateLimit-Reset": "1795168830", "Date": "Fri, 20 Nov 2026 10:00:10 GMT"],
      error: .rateLimited(until: now.advanced(by: .seconds(20)))),
    Case(
      name: "429 with nonsense, then a reset time", status: 429, body: "{}",
      headers: ["Retry-After": "soon", "X-RateLimit-Reset": "1795168801"],
      error: .rateLimited(until: now.advanced(by: .seconds(1)))),
    Case(
      name: "429 with a number beyond all measure", status: 429, body: "{}",
      headers: ["Retry-After": "99999999999999999999"], error: .rateLimited(until: nil)),
    Case(
      name: "429 with a negative number", status: 429, body: "{}",
      headers: ["Retry-After": "-5"], error: .rateLimited(until: nil)),
    Case(
      name: "500", status: 500, body: #"{"error":{"message":"oops"}}"#,
      error: .server(status: 500, message: "oops")),
    Case(
      name: "502 from a proxy", status: 502, body: "<html>Bad gateway</html>",
      error: .server(status: 502, message: nil)),
    Case(name: "503 empty", status: 503, body: "", error: .server(status: 503, message: nil)),
    Case(name: "304 unasked", status: 304, body: "", error: .server(status: 304, message: nil)),
    Case(
      name: "a redirect to nowhere", status: 302, body: "",
      error: .server(status: 302, message: nil)),
  ]

  @Test(arguments: cases) func `each status has its error`(_ test: Case) async throws {
    let server = try ScriptedServer { _, _ in
      .answer(test.status, test.body, headers: test.headers)
    }
    let client = try APIClient(server, .quick(SteppingClock(start: Self.now)))
    await #expect(throws: test.error) { try await client.record(.heroes, id: "h1") }
  }

  @Test func `412 brings the record as it is now`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(412, #"{"error":{"code":"stale"},"data":\#(Samples.hero)}"#)
    }
    let write = RemoteWrite(
      operation: .update, kind: .heroes, id: "h1", revision: "r", idempotencyKey: "k",
      body: ["age": 8])
    await #expect {
      try await APIClient(server).perform(write)
    } throws: { error in
      guard case .preconditionFailed(let current) = error as? APIError else { return false }
      return current?.id == "h1" && current?.updatedAt == "2026-11-20T10:00:00.000Z"
    }
  }
}
