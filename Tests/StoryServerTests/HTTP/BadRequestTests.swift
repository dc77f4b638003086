import Foundation
import JSONText
import StoryServer
import Testing

/// Every request that is refused, with the status it gets, sent as raw bytes.
@Suite struct BadRequestTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var request: String
    var status: Int
    var code: String
    var testDescription: String { name }
  }

  private static let host = "Host: localhost\r\n"
  private static let json = "Content-Type: application/json\r\n"

  private static func post(_ path: String, _ fields: String, _ body: String = "") -> String {
    "POST \(path) HTTP/1.1\r\n\(host)\(fields)\r\n\(body)"
  }

  private static func sized(_ body: String) -> String { "Content-Length: \(body.utf8.count)\r\n" }

  static let malformed: [Case] = [
    Case(
      name: "no version", request: "GET /api/health\r\n\r\n", status: 400, code: "malformedRequest"),
    Case(
      name: "two spaces", request: "GET  /api/health HTTP/1.1\r\n\(host)\r\n", status: 400,
      code: "malformedRequest"),
    Case(
      name: "no method", request: " /api/health HTTP/1.1\r\n\(host)\r\n", status: 400,
      code: "malformedRequest"),
    Case(
      name: "method with a brace", request: "GE{T /api/health HTTP/1.1\r\n\(host)\r\n", status: 400,
      code: "malformedRequest"),
    Case(
      name: "lower-case http", request: "GET /api/health http/1.1\r\n\(host)\r\n", status: 400,
      code: "malformedRequest"),
    Case(
      name: "version with a letter", request: "GET /api/health HTTP/1.x\r\n\(host)\r\n",
      status: 400, code: "malformedRequest"),
    Case(
      name: "HTTP/2", request: "GET /api/health HTTP/2.0\r\n\(host)\r\n", status: 505,
      code: "versionNotSupported"),
    Case(
      name: "HTTP/2 preface", request: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505,
      code: "versionNotSupported"),
    Case(
      name: "HTTP/0.9", request: "GET /api/health HTTP/0.9\r\n\(host)\r\n", status: 505,
      code: "versionNotSupported"),
    Case(
      name: "unknown method", request: "BREW /api/health HTTP/1.1\r\n\(host)\r\n", status: 501,
      code: "unknownMethod"),
    Case(
      name: "lower-case method", request: "get /api/health HTTP/1.1\r\n\(host)\r\n", status: 501,
      code: "unknownMethod"),
    Case(
      name: "bare line feeds", request: "GET /api/health HTTP/1.1\nHost: localhost\n\n",
      status: 400, code: "malformedRequest"),
    Case(
      name: "bare carriage return",
      request: "GET /api/health HTTP/1.1\r\nHost: local\rhost\r\n\r\n", status: 400,
      code: "malformedRequest"),
    Case(
      name: "no Host", request: "GET /api/health HTTP/1.1\r\n\r\n", status: 400,
      code: "malformedRequest"),
    Case(
      name: "two Hosts", request: "GET /api/health HTTP/1.1\r\n\(host)\(host)\r\n", status: 400,
      code: "malformedRequest"),
    Case(
      name: "space before the colon",
      request: "GET /api/health HTTP/1.1\r\n\(host)Accept : */*\r\n\r\n", status: 400,
      code: "malformedHeader"),
    Case(
      name: "folded line",
      request: "GET /api/health HTTP/1.1\r\n\(host)Accept: a\r\n  b\r\n\r\n", status: 400,
      code: "malformedHeader"),
    Case(
      name: "no colon", request: "GET /api/health HTTP/1.1\r\n\(host)Accept\r\n\r\n", status: 400,
      code: "malformedHeader"),
    Case(
      name: "no field name", request: "GET /api/health HTTP/1.1\r\n\(host): x\r\n\r\n",
      status: 400, code: "malformedHeader"),
    Case(
      name: "null in a field", request: "GET /api/health HTTP/1.1\r\n\(host)X: a\u{0}b\r\n\r\n",
      status: 400, code: "malformedHeader"),
    Case(
      name: "target with a wrong escape", request: "GET /api/%zz HTTP/1.1\r\n\(host)\r\n",
      status: 400, code: "malformedTarget"),
    Case(
      name: "target without a slash", request: "GET api/health HTTP/1.1\r\n\(host)\r\n",
      status: 400, code: "malformedTarget"),
    Case(
      name: "asterisk", request: "OPTIONS * HTTP/1.1\r\n\(host)\r\n", status: 400,
      code: "malformedTarget"),
    Case(
      name: "header fields over 32 KiB",
      request:
        "GET /api/health HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 33_000))\r\n\r\n",
      status: 431, code: "headTooLarge"),
    Case(
      name: "header fields without end",
      request: "GET /api/health HTTP/1.1\r\n\(host)"
        + String(
          repeating: "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n", count: 700),
      status: 431, code: "headTooLarge"),
    Case(
      name: "target over 32 KiB",
      request: "GET /\(String(repeating: "x", count: 33_000)) HTTP/1.1\r\n\(host)\r\n", status: 414,
      code: "targetTooLong"),
    Case(
      name: "length that is no number", request: post("/api/heroes", "Content-Length: 1x\r\n"),
      status: 400, code: "conflictingLengths"),
    Case(
      name: "signed length", request: post("/api/heroes", "Content-Length: +1\r\n"), status: 400,
      code: "conflictingLengths"),
    Case(
      name: "empty length", request: post("/api/heroes", "Content-Length: \r\n"), status: 400,
      code: "conflictingLengths"),
    Case(
      name: "two lengths",
      request: post("/api/heroes", "Content-Length: 2\r\nContent-Length: 3\r\n", "{}x"),
      status: 400, code: "conflictingLengths"),
    Case(
      name: "the same length twice",
      request: post("/api/heroes", "Content-Length: 2\r\nContent-Length: 2\r\n", "{}"),
      status: 400, code: "conflictingLengths"),
    Case(
      name: "list of lengths", request: post("/api/heroes", "Content-Length: 2, 2\r\n", "{}"),
      status: 400, code: "conflictingLengths"),
    Case(
      name: "length beside chunks",
      request: post(
        "/api/heroes", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
      status: 400, code: "conflictingLengths"),
    Case(
      name: "chunks in HTTP/1.0",
      request: "POST /api/heroes HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      status: 400, code: "conflictingLengths"),
    Case(
      name: "unknown coding", request: post("/api/heroes", "Transfer-Encoding: gzip\r\n"),
      status: 501, code: "unknownTransferEncoding"),
    Case(
      name: "coding before chunked",
      request: post("/api/heroes", "Transfer-Encoding: gzip, chunked\r\n"), status: 501,
      code: "unknownTransferEncoding"),
    Case(
      name: "chunked twice",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
      status: 501, code: "unknownTransferEncoding"),
    Case(
      name: "empty coding", request: post("/api/heroes", "Transfer-Encoding:\r\n"), status: 501,
      code: "unknownTransferEncoding"),
    Case(
      name: "chunk size with a letter",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\n", "zz\r\n"), status: 400,
      code: "malformedChunk"),
    Case(
      name: "chunk size without digits",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\n", "\r\n"), status: 400,
      code: "malformedChunk"),
    Case(
      name: "chunk longer than said",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\n", "2\r\n{}x\r\n0\r\n\r\n"),
      status: 400, code: "malformedChunk"),
    Case(
      name: "chunk line with a bare line feed",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\n", "2\n{}\n0\n\n"), status: 400,
      code: "malformedChunk"),
    Case(
      name: "chunk larger than any number",
      request: post(
        "/api/heroes", "Transfer-Encoding: chunked\r\n", "ffffffffffffffffffffffff\r\n"),
      status: 413, code: "bodyTooLarge"),
    Case(
      name: "chunks over the limit",
      request: post(
        "/api/auth/sign-in", "Transfer-Encoding: chunked\r\n",
        String(repeating: "8000\r\n\(String(repeating: "x", count: 32_768))\r\n", count: 40)),
      status: 413, code: "bodyTooLarge"),
    Case(
      name: "chunks of a stranger",
      request: post(
        "/api/heroes", "Transfer-Encoding: chunked\r\n",
        String(repeating: "8000\r\n\(String(repeating: "x", count: 32_768))\r\n", count: 3)),
      status: 401, code: "unauthorized"),
    Case(
      name: "length of a stranger", request: post("/api/heroes", "Content-Length: 65537\r\n"),
      status: 401, code: "unauthorized"),
    Case(
      name: "length of somebody whose session is over",
      request: post("/api/heroes", "Authorization: Bearer x\r\nContent-Length: 65537\r\n"),
      status: 401, code: "unauthorized"),
    Case(
      name: "length of somebody who signs in",
      request: post("/api/auth/sign-in", "Content-Length: 65537\r\n"), status: 413,
      code: "bodyTooLarge"),
    Case(
      name: "bare carriage return in a chunk's extension",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\n", "2;a\rb\r\n{}\r\n0\r\n\r\n"),
      status: 400, code: "malformedChunk"),
    Case(
      name: "null in a chunk's extension",
      request: post(
        "/api/heroes", "Transfer-Encoding: chunked\r\n", "2;a\u{0}\r\n{}\r\n0\r\n\r\n"),
      status: 400, code: "malformedChunk"),
    Case(
      name: "bare carriage return in a trailer",
      request: post(
        "/api/heroes", "Transfer-Encoding: chunked\r\n", "0\r\nA: b\rC: d\r\n\r\n"),
      status: 400, code: "malformedChunk"),
    Case(
      name: "signed chunk size",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"),
      status: 400, code: "malformedChunk"),
    Case(
      name: "chunk size with a prefix",
      request: post("/api/heroes", "Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"),
      status: 400, code: "malformedChunk"),
    Case(
      name: "chunks after a vertical tab",
      request: post("/api/heroes", "Transfer-Encoding: \u{0B}chunked\r\n", "0\r\n\r\n"),
      status: 400, code: "malformedHeader"),
    Case(
      name: "coding with a space in its name",
      request: post("/api/heroes", "Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
      status: 400, code: "malformedHeader"),
    Case(
      name: "negative length", request: post("/api/heroes", "Content-Length: -1\r\n"), status: 400,
      code: "conflictingLengths"),
    Case(
      name: "length in hexadecimal", request: post("/api/heroes", "Content-Length: 0x2\r\n", "{}"),
      status: 400, code: "conflictingLengths"),
    Case(
      name: "null in the target", request: "GET /api/\u{0}health HTTP/1.1\r\n\(host)\r\n",
      status: 400, code: "malformedRequest"),
    Case(
      name: "target in an overlong encoding",
      request: "GET /api/%c0%ae%c0%ae/health HTTP/1.1\r\n\(host)\r\n", status: 400,
      code: "malformedTarget"),
    Case(
      name: "target that ends in an escape", request: "GET /api/health% HTTP/1.1\r\n\(host)\r\n",
      status: 400, code: "malformedTarget"),
    Case(
      name: "length over the limit",
      request: post("/api/heroes", "Content-Length: 1048577\r\n"), status: 413,
      code: "bodyTooLarge"),
    Case(
      name: "length larger than any number",
      request: post("/api/heroes", "Content-Length: 99999999999999999999999\r\n"), status: 413,
      code: "bodyTooLarge"),
    Case(
      name: "unknown expectation",
      request: post("/api/heroes", "Expect: miracles\r\nContent-Length: 0\r\n"), status: 417,
      code: "expectationFailed"),
  ]

  @Test("requests that are no HTTP, or too much of it", arguments: malformed)
  func refuses(_ example: Case) throws {
    let server = try TestServer { $0.limits.bodyBytes = 1 << 20 }
    let client = try RawClient(port: server.server.port)
    client.send(example.request)
    let response = try client.receive()
    #expect(response.status == example.status)
    #expect(response.errorCode == example.code)
    #expect(response["date"] == "Fri, 20 Nov 2026 10:00:00 GMT")
    #expect(response["connection"] == "close")
    client.finishSending()
    #expect(try client.isClosed())
    // The next one is served as if nothing had been.
    #expect(try server.stranger().send("GET", "/api/health").status == 200)
  }

  private static func authorized(
    _ line: String, _ fields: String = "", _ body: String = ""
  ) -> String {
    "\(line) HTTP/1.1\r\n\(host)Authorization: Bearer TOKEN\r\n\(fields)\r\n\(body)"
  }

  static let unacceptable: [Case] = [
    Case(
      name: "unknown path", request: authorized("GET /api/dragons"), status: 404, code: "notFound"),
    Case(name: "root", request: authorized("GET /"), status: 404, code: "notFound"),
    Case(name: "no prefix", request: authorized("GET /heroes"), status: 404, code: "notFound"),
    Case(
      name: "final slash", request: authorized("GET /api/heroes/"), status: 404, code: "notFound"),
    Case(
      name: "deeper path", request: authorized("GET /api/heroes/a/b"), status: 404,
      code: "notFound"),
    Case(
      name: "unknown page", request: authorized("GET /api/user/wishes"), status: 404,
      code: "notFound"),
    Case(
      name: "unknown record", request: authorized("GET /api/heroes/none"), status: 404,
      code: "notFound"),
    Case(
      name: "record named by a null", request: authorized("GET /api/heroes/%00"), status: 404,
      code: "notFound"),
    Case(
      name: "record named by a path", request: authorized("GET /api/heroes/%2e%2e%2f%2e%2e%2flog"),
      status: 404, code: "notFound"),
    Case(
      name: "file named by a path", request: authorized("GET /api/media/0/%2e%2e%2f%2e%2e/log"),
      status: 404, code: "notFound"),
    Case(
      name: "limit beyond numbers",
      request: authorized("GET /api/heroes?limit=99999999999999999999"),
      status: 400, code: "validation"),
    Case(
      name: "offset beyond numbers",
      request: authorized("GET /api/heroes?offset=99999999999999999999"), status: 400,
      code: "validation"),
    Case(
      name: "time beyond years",
      request: authorized("GET /api/heroes?updatedAfter=99999-01-01T00:00:00Z"), status: 400,
      code: "validation"),
    Case(
      name: "cursor of nobody", request: authorized("GET /api/heroes?cursor=%00%00"), status: 400,
      code: "validation"),
    Case(
      name: "PUT", request: authorized("PUT /api/heroes/x", "Content-Length: 0\r\n"), status: 405,
      code: "methodNotAllowed"),
    Case(
      name: "DELETE of a list", request: authorized("DELETE /api/heroes"), status: 405,
      code: "methodNotAllowed"),
    Case(
      name: "GET of sign-in", request: authorized("GET /api/auth/sign-in"), status: 405,
      code: "methodNotAllowed"),
    Case(
      name: "OPTIONS", request: authorized("OPTIONS /api/heroes"), status: 405,
      code: "methodNotAllowed"),
    Case(
      name: "no token", request: "GET /api/heroes HTTP/1.1\r\n\(host)\r\n", status: 401,
      code: "unauthorized"),
    Case(
      name: "wrong token",
      request: "GET /api/heroes HTTP/1.1\r\n\(host)Authorization: Bearer nope\r\n\r\n",
      status: 401, code: "unauthorized"),
    Case(
      name: "another scheme",
      request: "GET /api/heroes HTTP/1.1\r\n\(host)Authorization: Basic eDp5\r\n\r\n", status: 401,
      code: "unauthorized"),
    Case(
      name: "no body", request: authorized("POST /api/heroes"), status: 411,
      code: "lengthRequired"),
    Case(
      name: "empty body", request: authorized("POST /api/heroes", "\(json)Content-Length: 0\r\n"),
      status: 400, code: "invalidJSON"),
    Case(
      name: "no content type", request: authorized("POST /api/heroes", sized("{}"), "{}"),
      status: 415, code: "notJSON"),
    Case(
      name: "form",
      request: authorized(
        "POST /api/heroes",
        "Content-Type: application/x-www-form-urlencoded\r\n" + sized("name=x"), "name=x"),
      status: 415, code: "notJSON"),
    Case(
      name: "JSON in Latin-1",
      request: authorized(
        "POST /api/heroes",
        "Content-Type: application/json; charset=iso-8859-1\r\n" + sized("{}"), "{}"),
      status: 415, code: "notJSON"),
    Case(
      name: "cut-off JSON", request: authorized("POST /api/heroes", json + sized("{\"a"), "{\"a"),
      status: 400, code: "invalidJSON"),
    Case(
      name: "duplicate member",
      request: authorized(
        "POST /api/heroes", json + sized(#"{"a":1,"a":2}"#), #"{"a":1,"a":2}"#),
      status: 400, code: "invalidJSON"),
    Case(
      name: "array", request: authorized("POST /api/heroes", json + sized("[]"), "[]"), status: 400,
      code: "invalidBody"),
    Case(
      name: "too deep",
      request: authorized(
        "POST /api/heroes", json + sized(String(repeating: "[", count: 5000)),
        String(repeating: "[", count: 5000)),
      status: 400, code: "invalidJSON"),
    Case(
      name: "empty Idempotency-Key",
      request: authorized(
        "POST /api/heroes", "Idempotency-Key: \r\n" + json + sized("{}"), "{}"),
      status: 400, code: "invalidIdempotencyKey"),
    Case(
      name: "long Idempotency-Key",
      request: authorized(
        "POST /api/heroes",
        "Idempotency-Key: \(String(repeating: "k", count: 256))\r\n" + json + sized("{}"), "{}"),
      status: 400, code: "invalidIdempotencyKey"),
  ]

  @Test("well-formed requests that cannot be done", arguments: unacceptable)
  func answers(_ example: Case) throws {
    let server = try TestServer()
    let client = try server.client()
    let token = try #require(client.token)
    client.connection.send(example.request.replacingOccurrences(of: "TOKEN", with: token))
    let response = try client.connection.receive()
    #expect(response.status == example.status)
    #expect(response.errorCode == example.code)
    #expect(response.json?["error"]?["message"]?.string?.isEmpty == false)
    #expect((response["allow"] != nil) == (example.status == 405))
    #expect((response["www-authenticate"] == "Bearer") == (example.status == 401))
    #expect(try client.send("GET", "/api/heroes").status == 200, "the connection goes on")
  }

  @Test(arguments: [
    ("/api/heroes", "GET, HEAD, POST"), ("/api/heroes/x", "GET, HEAD, PATCH, DELETE"),
    ("/api/batch", "POST"), ("/api/health", "GET, HEAD"), ("/api/user/profile", "GET, HEAD, PATCH"),
  ])
  func namesTheMethodsThatAreAllowed(path: String, allow: String) throws {
    let server = try TestServer()
    let response = try server.client().send("PUT", path, [:])
    #expect(response.status == 405)
    #expect(response["allow"] == allow)
  }
}
