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

    /// The cases of a table: requests by name, under the status and code that refuse them.
    static func all(_ table: KeyValuePairs<String, KeyValuePairs<String, String>>) -> [Case] {
      table.flatMap { refusal, requests in
        let words = refusal.split(separator: " ")
        return requests.map { name, request in
          Case(name: name, request: request, status: Int(words[0])!, code: String(words[1]))
        }
      }
    }
  }

  private static let host = "Host: localhost\r\n"
  private static let json = "Content-Type: application/json\r\n"

  private static func post(_ path: String, _ fields: String, _ body: String = "") -> String {
    "POST \(path) HTTP/1.1\r\n\(host)\(fields)\r\n\(body)"
  }

  private static func chunked(_ body: String) -> String {
    post("/api/heroes", "Transfer-Encoding: chunked\r\n", body)
  }

  private static func sized(_ body: String) -> String { "Content-Length: \(body.utf8.count)\r\n" }

  static let malformed = Case.all([
    "400 malformedRequest": [
      "no version": "GET /api/health\r\n\r\n",
      "two spaces": "GET  /api/health HTTP/1.1\r\n\(host)\r\n",
      "no method": " /api/health HTTP/1.1\r\n\(host)\r\n",
      "method with a brace": "GE{T /api/health HTTP/1.1\r\n\(host)\r\n",
      "lower-case http": "GET /api/health http/1.1\r\n\(host)\r\n",
      "version with a letter": "GET /api/health HTTP/1.x\r\n\(host)\r\n",
      "bare line feeds": "GET /api/health HTTP/1.1\nHost: localhost\n\n",
      "bare carriage return": "GET /api/health HTTP/1.1\r\nHost: local\rhost\r\n\r\n",
      "no Host": "GET /api/health HTTP/1.1\r\n\r\n",
      "two Hosts": "GET /api/health HTTP/1.1\r\n\(host)\(host)\r\n",
      "null in the target": "GET /api/\u{0}health HTTP/1.1\r\n\(host)\r\n",
    ],
    "505 versionNotSupported": [
      "HTTP/2": "GET /api/health HTTP/2.0\r\n\(host)\r\n",
      "HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "HTTP/0.9": "GET /api/health HTTP/0.9\r\n\(host)\r\n",
    ],
    "501 unknownMethod": [
      "unknown method": "BREW /api/health HTTP/1.1\r\n\(host)\r\n",
      "lower-case method": "get /api/health HTTP/1.1\r\n\(host)\r\n",
    ],
    "400 malformedHeader": [
      "space before the colon": "GET /api/health HTTP/1.1\r\n\(host)Accept : */*\r\n\r\n",
      "folded line": "GET /api/health HTTP/1.1\r\n\(host)Accept: a\r\n  b\r\n\r\n",
      "no colon": "GET /api/health HTTP/1.1\r\n\(host)Accept\r\n\r\n",
      "no field name": "GET /api/health HTTP/1.1\r\n\(host): x\r\n\r\n",
      "null in a field": "GET /api/health HTTP/1.1\r\n\(host)X: a\u{0}b\r\n\r\n",
      "chunks after a vertical tab": post(
        "/api/heroes", "Transfer-Encoding: \u{0B}chunked\r\n", "0\r\n\r\n"),
      "coding with a space in its name": post(
        "/api/heroes", "Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
    ],
    "400 malformedTarget": [
      "target with a wrong escape": "GET /api/%zz HTTP/1.1\r\n\(host)\r\n",
      "target without a slash": "GET api/health HTTP/1.1\r\n\(host)\r\n",
      "asterisk": "OPTIONS * HTTP/1.1\r\n\(host)\r\n",
      "target in an overlong encoding": "GET /api/%c0%ae%c0%ae/health HTTP/1.1\r\n\(host)\r\n",
      "target that ends in an escape": "GET /api/health% HTTP/1.1\r\n\(host)\r\n",
    ],
    "431 headTooLarge": [
      "header fields over 32 KiB":
        "GET /api/health HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 33_000))\r\n\r\n",
      "header fields without end": "GET /api/health HTTP/1.1\r\n\(host)"
        + String(
          repeating: "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n", count: 700),
    ],
    "414 targetTooLong": [
      "empty lines without end": String(repeating: "\r\n", count: 20_000),
      "target over 32 KiB":
        "GET /\(String(repeating: "x", count: 33_000)) HTTP/1.1\r\n\(host)\r\n",
    ],
    "400 conflictingLengths": [
      "length that is no number": post("/api/heroes", "Content-Length: 1x\r\n"),
      "signed length": post("/api/heroes", "Content-Length: +1\r\n"),
      "empty length": post("/api/heroes", "Content-Length: \r\n"),
      "two lengths": post("/api/heroes", "Content-Length: 2\r\nContent-Length: 3\r\n", "{}x"),
      "the same length twice": post(
        "/api/heroes", "Content-Length: 2\r\nContent-Length: 2\r\n", "{}"),
      "list of lengths": post("/api/heroes", "Content-Length: 2, 2\r\n", "{}"),
      "length beside chunks": post(
        "/api/heroes", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
      "chunks in HTTP/1.0":
        "POST /api/heroes HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "negative length": post("/api/heroes", "Content-Length: -1\r\n"),
      "length in hexadecimal": post("/api/heroes", "Content-Length: 0x2\r\n", "{}"),
    ],
    "501 unknownTransferEncoding": [
      "unknown coding": post("/api/heroes", "Transfer-Encoding: gzip\r\n"),
      "coding before chunked": post("/api/heroes", "Transfer-Encoding: gzip, chunked\r\n"),
      "chunked twice": post(
        "/api/heroes", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
      "empty coding": post("/api/heroes", "Transfer-Encoding:\r\n"),
    ],
    "400 malformedChunk": [
      "chunk size with a letter": chunked("zz\r\n"),
      "chunk size without digits": chunked("\r\n"),
      "chunk longer than said": chunked("2\r\n{}x\r\n0\r\n\r\n"),
      "chunk line with a bare line feed": chunked("2\n{}\n0\n\n"),
      "bare carriage return in a chunk's extension": chunked("2;a\rb\r\n{}\r\n0\r\n\r\n"),
      "null in a chunk's extension": chunked("2;a\u{0}\r\n{}\r\n0\r\n\r\n"),
      "bare carriage return in a trailer": chunked("0\r\nA: b\rC: d\r\n\r\n"),
      "signed chunk size": chunked("-2\r\n{}\r\n0\r\n\r\n"),
      "chunk size with a prefix": chunked("0x2\r\n{}\r\n0\r\n\r\n"),
    ],
    "413 bodyTooLarge": [
      "chunk larger than any number": chunked("ffffffffffffffffffffffff\r\n"),
      "chunks over the limit": post(
        "/api/auth/sign-in", "Transfer-Encoding: chunked\r\n",
        String(repeating: "8000\r\n\(String(repeating: "x", count: 32_768))\r\n", count: 40)),
      "length of somebody who signs in": post("/api/auth/sign-in", "Content-Length: 65537\r\n"),
      "length over the limit": post("/api/heroes", "Content-Length: 1048577\r\n"),
      "length larger than any number": post(
        "/api/heroes", "Content-Length: 99999999999999999999999\r\n"),
    ],
    "401 unauthorized": [
      "chunks of a stranger": chunked(
        String(repeating: "8000\r\n\(String(repeating: "x", count: 32_768))\r\n", count: 3)),
      "length of a stranger": post("/api/heroes", "Content-Length: 65537\r\n"),
      "length of somebody whose session is over": post(
        "/api/heroes", "Authorization: Bearer x\r\nContent-Length: 65537\r\n"),
    ],
    "417 expectationFailed": [
      "unknown expectation": post("/api/heroes", "Expect: miracles\r\nContent-Length: 0\r\n")
    ],
  ])

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

  static let unacceptable = Case.all([
    "404 notFound": [
      "unknown path": authorized("GET /api/dragons"),
      "root": authorized("GET /"),
      "no prefix": authorized("GET /heroes"),
      "final slash": authorized("GET /api/heroes/"),
      "deeper path": authorized("GET /api/heroes/a/b"),
      "unknown page": authorized("GET /api/user/wishes"),
      "unknown record": authorized("GET /api/heroes/none"),
      "record named by a null": authorized("GET /api/heroes/%00"),
      "record named by a path": authorized("GET /api/heroes/%2e%2e%2f%2e%2e%2flog"),
      "file named by a path": authorized("GET /api/media/0/%2e%2e%2f%2e%2e/log"),
    ],
    "400 validation": [
      "limit beyond numbers": authorized("GET /api/heroes?limit=99999999999999999999"),
      "offset beyond numbers": authorized("GET /api/heroes?offset=99999999999999999999"),
      "time beyond years": authorized("GET /api/heroes?updatedAfter=99999-01-01T00:00:00Z"),
      "cursor of nobody": authorized("GET /api/heroes?cursor=%00%00"),
    ],
    "405 methodNotAllowed": [
      "PUT": authorized("PUT /api/heroes/x", "Content-Length: 0\r\n"),
      "DELETE of a list": authorized("DELETE /api/heroes"),
      "GET of sign-in": authorized("GET /api/auth/sign-in"),
      "OPTIONS": authorized("OPTIONS /api/heroes"),
    ],
    "401 unauthorized": [
      "no token": "GET /api/heroes HTTP/1.1\r\n\(host)\r\n",
      "wrong token": "GET /api/heroes HTTP/1.1\r\n\(host)Authorization: Bearer nope\r\n\r\n",
      "another scheme": "GET /api/heroes HTTP/1.1\r\n\(host)Authorization: Basic eDp5\r\n\r\n",
    ],
    "411 lengthRequired": [
      "no body": authorized("POST /api/heroes")
    ],
    "400 invalidJSON": [
      "empty body": authorized("POST /api/heroes", "\(json)Content-Length: 0\r\n"),
      "cut-off JSON": authorized("POST /api/heroes", json + sized("{\"a"), "{\"a"),
      "duplicate member": authorized(
        "POST /api/heroes", json + sized(#"{"a":1,"a":2}"#), #"{"a":1,"a":2}"#),
      "too deep": authorized(
        "POST /api/heroes", json + sized(String(repeating: "[", count: 5000)),
        String(repeating: "[", count: 5000)),
    ],
    "415 notJSON": [
      "no content type": authorized("POST /api/heroes", sized("{}"), "{}"),
      "form": authorized(
        "POST /api/heroes",
        "Content-Type: application/x-www-form-urlencoded\r\n" + sized("name=x"), "name=x"),
      "JSON in Latin-1": authorized(
        "POST /api/heroes",
        "Content-Type: application/json; charset=iso-8859-1\r\n" + sized("{}"), "{}"),
    ],
    "400 invalidBody": [
      "array": authorized("POST /api/heroes", json + sized("[]"), "[]")
    ],
    "400 invalidIdempotencyKey": [
      "empty Idempotency-Key": authorized(
        "POST /api/heroes", "Idempotency-Key: \r\n" + json + sized("{}"), "{}"),
      "long Idempotency-Key": authorized(
        "POST /api/heroes",
        "Idempotency-Key: \(String(repeating: "k", count: 256))\r\n" + json + sized("{}"), "{}"),
    ],
  ])

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
