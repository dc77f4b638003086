import Foundation
import JSONText
import StoryServer
import TestSupport
import Testing

/// Where curl is on this machine, if it is.
private let curlPath = ["/usr/bin/curl", "/usr/local/bin/curl", "/bin/curl"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// The whole life of an account and its records with a client that someone else wrote.
@Suite struct CurlTests {
  struct Answer {
    var status: Int
    var json: JSONValue?
    var data: JSONValue? { json?["data"] }
  }

  private func curl(_ arguments: [String], input: String? = nil) throws -> [UInt8] {
    let running = try RunningProgram(
      ProgramStart(
        words: [try #require(curlPath), "--silent", "--show-error", "--max-time", "20"]
          + ["--noproxy", "*"] + arguments,
        folder: "/"))
    running.send(input ?? "")
    let result = running.wait()
    #expect(result.code == 0, "\(result.errors)")
    return result.bytes
  }

  private func request(
    _ method: String, _ url: String, token: String? = nil, _ body: String? = nil,
    headers: [String] = [], options: [String] = []
  ) throws -> Answer {
    var arguments = ["--request", method, "--write-out", "\n%{http_code}", url] + options
    if let token { arguments += ["--header", "Authorization: Bearer \(token)"] }
    if body != nil {
      arguments += ["--header", "Content-Type: application/json", "--data-binary", "@-"]
    }
    for header in headers { arguments += ["--header", header] }
    let output = try curl(arguments, input: body)
    let end = try #require(output.lastIndex(of: UInt8(ascii: "\n")))
    let status = try #require(Int(String(decoding: output[(end + 1)...], as: UTF8.self)))
    return Answer(
      status: status, json: try? JSONDocument(parsing: Array(output[..<end])).root.value)
  }

  @Test(.enabled(if: curlPath != nil, "curl is not installed on this machine"))
  func theWholeLifeCycle() throws {
    let folder = try TemporaryFolder()
    let server = try TestServer(folder: folder) { $0.durability = .flush }
    let api = server.server.url + "/api"
    let health = try request("GET", "\(api)/health")
    #expect(health.status == 200)
    #expect(health.data?["status"] == "healthy")

    let account = #"{"email":"ann@example.org","password":"correct horse","name":"Ann"}"#
    #expect(try request("POST", "\(api)/auth/sign-up", account).status == 201)
    let signIn = try request("POST", "\(api)/auth/sign-in", account)
    #expect(signIn.status == 200)
    let token = try #require(signIn.data?["session"]?["token"]?.string)
    let wrong = #"{"email":"ann@example.org","password":"wrong"}"#
    #expect(try request("POST", "\(api)/auth/sign-in", wrong).status == 401)
    #expect(try request("GET", "\(api)/heroes").status == 401)

    let hero = try request(
      "POST", "\(api)/heroes", token: token,
      #"{"name":"Luna","age":7,"traits":["brave","curious"],"specialAbility":"talks to stars"}"#,
      headers: ["Idempotency-Key: create-luna"])
    #expect(hero.status == 201)
    let id = try #require(hero.data?.id)
    let version = try #require(hero.data?.updatedAt)
    let changed = try request(
      "PATCH", "\(api)/heroes/\(id)", token: token, #"{"age":8}"#,
      headers: ["If-Match: \"\(version)\""])
    #expect(changed.status == 200)
    #expect(changed.data?["age"] == 8)
    let stale = try request(
      "PATCH", "\(api)/heroes/\(id)", token: token, #"{"age":9}"#,
      headers: ["If-Match: \"\(version)\""])
    #expect(stale.status == 412)
    #expect(stale.data == changed.data)
    let again = try request(
      "POST", "\(api)/heroes", token: token,
      #"{"name":"Luna","age":7,"traits":["brave","curious"],"specialAbility":"talks to stars"}"#,
      headers: ["Idempotency-Key: create-luna"])
    #expect(again.data == hero.data)

    // curl sends this one in chunks and asks for it to be taken first.
    let long = String(repeating: "It was the first snow. ", count: 60_000)
    let story = try request(
      "POST", "\(api)/stories", token: token,
      #"{"title":"The First Snow","heroId":"\#(id)","content":"\#(long)"}"#,
      headers: ["Transfer-Encoding: chunked", "Expect: 100-continue"])
    #expect(story.status == 201)
    #expect(story.data?["content"] == .string(long))

    let batch = try request(
      "POST", "\(api)/batch", token: token,
      """
      {"operations":[
        {"method":"create","kind":"custom-events","data":{"title":"Tooth","promptSeed":"A tooth"}},
        {"method":"update","kind":"stories","id":"\(story.data?.id ?? "")","data":{"isFavorite":true}}
      ]}
      """)
    #expect(batch.data?["results"]?.array?.map { $0["status"] ?? nil } == [201, 200])

    for _ in 0..<4 {
      let body = #"{"name":"Another","age":5,"traits":[]}"#
      #expect(try request("POST", "\(api)/heroes", token: token, body).status == 201)
    }
    var seen = 0
    var next: String? = ""
    while let cursor = next {
      let query = cursor.isEmpty ? "limit=2" : "limit=2&cursor=\(cursor)"
      let page = try request("GET", "\(api)/heroes?\(query)", token: token)
      #expect(page.json?["pagination"]?["total"] == 5)
      seen += page.data?.array?.count ?? 0
      next = page.json?["pagination"]?["next"]?.string
    }
    #expect(seen == 5)

    let head = try request(
      "HEAD", "\(api)/heroes/\(id)", token: token, options: ["--head", "--output", "/dev/null"])
    #expect(head.status == 200)
    let unchanged = try request(
      "GET", "\(api)/heroes/\(id)", token: token,
      headers: ["If-None-Match: \"\(changed.data?.updatedAt ?? "")\""])
    #expect(unchanged.status == 304)

    #expect(try request("DELETE", "\(api)/heroes/\(id)", token: token).status == 200)
    #expect(try request("DELETE", "\(api)/heroes/\(id)", token: token).status == 404)
    let stories = try request("GET", "\(api)/stories?includeDeleted=true", token: token)
    #expect(stories.data?.array?.first?["deleted"] == true)

    let other = try request(
      "POST", "\(api)/auth/sign-up", #"{"email":"bob@example.org","password":"12345678"}"#)
    let bob = try #require(other.data?["session"]?["token"]?.string)
    #expect(try request("GET", "\(api)/heroes", token: bob).json?["pagination"]?["total"] == 0)

    let refresh = try #require(signIn.data?["session"]?["refreshToken"]?.string)
    let refreshed = try request(
      "POST", "\(api)/auth/session/refresh", token: token, #"{"refreshToken":"\#(refresh)"}"#)
    let newToken = try #require(refreshed.data?["session"]?["token"]?.string)
    #expect(try request("GET", "\(api)/user/profile", token: token).status == 401)
    #expect(try request("GET", "\(api)/user/profile", token: newToken).data?["name"] == "Ann")
    #expect(try request("POST", "\(api)/auth/sign-out", token: newToken).status == 200)
    #expect(try request("GET", "\(api)/user/profile", token: newToken).status == 401)
  }

  @Test(.enabled(if: curlPath != nil, "curl is not installed on this machine"))
  func manyRequestsOverParallelConnections() throws {
    let server = try TestServer()
    let token = try server.server.issueToken(email: TestServer.email).token
    let config = (0..<200).map { _ in
      """
      next
      url = "\(server.server.url)/api/heroes"
      header = "Authorization: Bearer \(token)"
      json = "{\\"name\\":\\"L\\",\\"age\\":7,\\"traits\\":[]}"
      write-out = "%{http_code} "
      output = /dev/null
      """
    }.joined(separator: "\n")
    let output = try curl(
      ["--parallel", "--no-progress-meter", "--parallel-max", "16", "--config", "-"], input: config)
    let statuses = String(decoding: output, as: UTF8.self).split(separator: " ")
    #expect(statuses.count == 200)
    #expect(statuses.allSatisfy { $0 == "201" })
    #expect(try server.server.records(.heroes, of: TestServer.email).count == 200)
  }
}
