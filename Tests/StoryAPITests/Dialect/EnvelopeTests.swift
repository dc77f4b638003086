import StoryAPI
import StoryLibrary
import Testing

@Suite struct EnvelopeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var body: String
    var what: String
    var place: String
    var testDescription: String { name }
  }

  static let pages = [
    Case(name: "empty body", body: "", what: "an empty body", place: "GET /api/heroes"),
    Case(
      name: "web page", body: " <!doctype html>", what: "a web page instead of JSON",
      place: "GET /api/heroes"),
    Case(
      name: "cut off", body: #"{"data":["#,
      what: "no JSON: 1:10: the text ends here, but a value or “]” should follow",
      place: "GET /api/heroes"),
    Case(
      name: "another type", body: "[]", what: "nothing instead of an array",
      place: "GET /api/heroes, data"),
    Case(
      name: "no data", body: "{}", what: "nothing instead of an array",
      place: "GET /api/heroes, data"),
    Case(
      name: "data keyed as elsewhere", body: #"{"data":{"heroes":[]}}"#,
      what: "an object instead of an array", place: "GET /api/heroes, data"),
    Case(
      name: "no pagination", body: #"{"data":[]}"#, what: "nothing instead of a whole number",
      place: "GET /api/heroes, pagination.total"),
    Case(
      name: "total as text", body: #"{"data":[],"pagination":{"total":"3"}}"#,
      what: "a string instead of a whole number", place: "GET /api/heroes, pagination.total"),
    Case(
      name: "total below zero", body: #"{"data":[],"pagination":{"total":-1}}"#,
      what: "-1 instead of a number from 0", place: "GET /api/heroes, pagination.total"),
    Case(
      name: "hasMore as a number", body: #"{"data":[],"pagination":{"total":0,"hasMore":1}}"#,
      what: "a number instead of true or false", place: "GET /api/heroes, pagination.hasMore"),
    Case(
      name: "next as a number", body: #"{"data":[],"pagination":{"total":0,"next":1}}"#,
      what: "a number instead of a string", place: "GET /api/heroes, pagination.next"),
    Case(
      name: "an empty page with more to come",
      body: #"{"data":[],"pagination":{"total":9,"hasMore":true}}"#,
      what: "a page that leads to no other, though there should be more",
      place: "GET /api/heroes, pagination"),
    Case(
      name: "success with an error in it",
      body: #"{"error":{"code":"x","message":"broken\u001b"}}"#,
      what: #"status 200 with an error in it: broken\u{1b}"#, place: "GET /api/heroes, error"),
    Case(
      name: "success with an error as text", body: #"{"error":"broken","data":null}"#,
      what: "status 200 with an error in it: broken", place: "GET /api/heroes, error"),
  ]

  @Test(arguments: pages) func `a page that cannot be used says why`(_ test: Case) async throws {
    let server = try ScriptedServer { _, _ in .answer(200, test.body) }
    await #expect(throws: APIError.decoding(what: test.what, where: test.place)) {
      try await APIClient(server).page(of: .heroes)
    }
  }

  static let records = [
    Case(
      name: "no id", body: #"{"data":{"updatedAt":"2026-11-20T10:00:00Z"}}"#,
      what: "nothing instead of a string", place: "GET /api/stories/s1, data.id"),
    Case(
      name: "id as a number", body: #"{"data":{"id":7}}"#, what: "a number instead of a string",
      place: "GET /api/stories/s1, data.id"),
    Case(
      name: "no updatedAt", body: #"{"data":{"id":"s1"}}"#, what: "nothing instead of a string",
      place: "GET /api/stories/s1, data.updatedAt"),
    Case(
      name: "a list for one", body: #"{"data":[{}]}"#, what: "an array instead of an object",
      place: "GET /api/stories/s1, data"),
    Case(
      name: "content as lines",
      body: #"{"data":{"id":"s1","updatedAt":"2026-11-20T10:00:00Z","content":["a"]}}"#,
      what: "an array instead of a string", place: "GET /api/stories/s1, data.content"),
  ]

  @Test(arguments: records) func `a record that cannot be used says why`(_ test: Case) async throws
  {
    let server = try ScriptedServer { _, _ in .answer(200, test.body) }
    await #expect(throws: APIError.decoding(what: test.what, where: test.place)) {
      try await APIClient(server).record(.stories, id: "s1")
    }
  }

  @Test func `generation answers are read`() async throws {
    let server = try ScriptedServer { request, _ in
      switch request.target {
      case "/api/heroes/h/avatar":
        .answer(200, #"{"data":{"heroId":"h","avatarUrl":"https://m/x?sig=1","generationId":"g"}}"#)
      case "/api/stories/s/audio":
        .answer(200, #"{"data":{"audioUrl":null,"status":"processing"}}"#)
      case "/api/stories/s/illustrations/status":
        .answer(
          200,
          #"{"data":{"status":"partial","progress":66,"total":3,"completed":2,"processing":0,"failed":1,"pending":0,"illustrations":[{"id":"i","displayOrder":1,"status":"failed","error":"no","hasImage":false}]}}"#
        )
      case "/api/stories/s/illustrations": .answer(202, #"{"data":{}}"#)
      case "/api/user/usage":
        .answer(
          200,
          #"{"data":{"story_generation":{"limit":10,"remaining":9,"resetAt":"2026-11-20T10:00:00Z"},"note":"x"}}"#
        )
      default: .answer(404)
      }
    }
    let client = try APIClient(server)
    let avatar = try await client.generateAvatar(heroID: "h")
    #expect(avatar.url.value == "https://m/x?sig=1" && avatar.generationID == "g")
    #expect(!"\(avatar)".contains("sig="))
    #expect(try await client.audioStatus(storyID: "s") == AudioAnswer(state: .processing))
    try await client.generateIllustrations(storyID: "s")
    let progress = try await client.illustrationStatus(storyID: "s")
    #expect(progress.state == .partial && progress.percent == 66 && progress.failed == 1)
    #expect(progress.items.map(\.error) == ["no"])
    let usage = try await client.usage()
    #expect(usage.map(\.operation) == ["story_generation"])
    #expect(usage[0].remaining == 9)
  }
}
