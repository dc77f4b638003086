import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// Answers that are not what the contract says, each with the error that it must give.
@Suite(.inTurn) struct BadAnswerTests {
  /// What is asked for.
  enum Call: String, Sendable {
    case health, list, record, create, update, delete, batch, batchUpdate, signIn, refresh, profile,
      usage
    case avatar, story, audio, progress, pictures, newStory, reading
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var call: Call
    var dialect: Dialect
    var body: String
    var error: APIError
    var testDescription: String { "\(dialect.rawValue) \(call.rawValue): \(name)" }

    init(
      _ name: String, _ call: Call, _ body: String, _ problem: AnswerProblem, _ place: String,
      dialect: Dialect = .v0
    ) {
      (self.name, self.call, self.body, self.dialect) = (name, call, body, dialect)
      error = .decoding(problem, where: place)
    }
  }

  private static let stamp = #""updatedAt":"2026-11-20T10:00:00Z""#
  /// The beginning of a hero's record that is whole but for its age and traits.
  private static let hero = #""id":"h",\#(stamp),"name":"Luna""#
  private static let more = AnswerProblem.noNextPage

  static let whole = [
    Case("nothing", .list, "", .emptyBody, "GET /api/heroes"),
    Case(
      "a web page", .list, "\n <!doctype html>", .webPage, "GET /api/heroes"),
    Case(
      "a web page for a write", .create, "<html>", .webPage,
      "POST /api/heroes"),
    Case(
      "plain text", .record, "ok",
      .notJSON(diagnosis: "1:1: expected a value, but found “ok”"), "GET /api/heroes/h"),
    Case(
      "cut off", .list, #"{"data":["#,
      .notJSON(diagnosis: "1:10: the text ends here, but a value or “]” should follow"),
      "GET /api/heroes"),
    Case(
      "two values", .record, "{} {}", .notJSON(diagnosis: "1:4: nothing may follow the value"),
      "GET /api/heroes/h"),
    Case(
      "a name twice", .record, #"{"data":1,"data":2}"#,
      .notJSON(diagnosis: #"1:11: the name "data" occurs twice in this object (first at 1:2)"#),
      "GET /api/heroes/h"),
    Case(
      "not UTF-8", .record, "\u{FFFD}",
      .notJSON(diagnosis: "1:1: expected a value, but found “\u{FFFD}”"),
      "GET /api/heroes/h"),
    Case(
      "NaN", .list, #"{"data":NaN}"#, .notJSON(diagnosis: "1:9: “NaN” is not a JSON value"),
      "GET /api/heroes"),
    Case(
      "too deep", .record, String(repeating: "[", count: 513),
      .notJSON(diagnosis: "1:513: arrays and objects nest deeper than 512"), "GET /api/heroes/h"),
    Case(
      "an error in a success", .list, #"{"error":{"message":"broken\u001b"}}"#,
      .errorInSuccess(status: 200, message: #"broken\u{1b}"#), "GET /api/heroes, error"),
    Case(
      "an error as text in a success", .create, #"{"error":"broken","data":null}"#,
      .errorInSuccess(status: 200, message: "broken"), "POST /api/heroes, error"),
    Case(
      "an error in a success", .record, #"{"error":"X","message":"broken"}"#,
      .errorInSuccess(status: 200, message: "X"), "GET /api/v1/heroes/h, error", dialect: .v1),
    Case(
      "an error in a deletion", .delete, #"{"error":"broken"}"#,
      .errorInSuccess(status: 200, message: "broken"), "DELETE /api/heroes/h, error"),
    Case("nothing for a deletion", .delete, "", .emptyBody, "DELETE /api/heroes/h"),
  ]

  static let lists = [
    Case("an array", .list, "[]", .found(.nothing, expected: .array), "GET /api/heroes, data"),
    Case("null", .list, "null", .found(.nothing, expected: .array), "GET /api/heroes, data"),
    Case("no data", .list, "{}", .found(.nothing, expected: .array), "GET /api/heroes, data"),
    Case(
      "data null", .list, #"{"data":null}"#, .found(.null, expected: .array),
      "GET /api/heroes, data"),
    Case(
      "the other dialect", .list, #"{"data":{"heroes":[]}}"#, .found(.object, expected: .array),
      "GET /api/heroes, data"),
    Case(
      "the other dialect", .list, #"{"data":[]}"#, .found(.nothing, expected: .array),
      "GET /api/v1/heroes, data.heroes", dialect: .v1),
    Case(
      "another kind's key", .list, #"{"data":{"stories":[]}}"#, .found(.nothing, expected: .array),
      "GET /api/v1/heroes, data.heroes", dialect: .v1),
    Case(
      "no pagination", .list, #"{"data":[]}"#, .found(.nothing, expected: .wholeNumber),
      "GET /api/heroes, pagination.total"),
    Case(
      "no pagination", .list, #"{"data":{"heroes":[]}}"#, .found(.nothing, expected: .wholeNumber),
      "GET /api/v1/heroes, data.pagination.total", dialect: .v1),
    Case(
      "total as text", .list, #"{"data":[],"pagination":{"total":"3"}}"#,
      .found(.string, expected: .wholeNumber), "GET /api/heroes, pagination.total"),
    Case(
      "half a total", .list, #"{"data":[],"pagination":{"total":2.5}}"#,
      .found(.number, expected: .wholeNumber), "GET /api/heroes, pagination.total"),
    Case(
      "a total below zero", .list, #"{"data":[],"pagination":{"total":-1}}"#,
      .found(.integer(-1), expected: .count), "GET /api/heroes, pagination.total"),
    Case(
      "a total beyond all numbers", .list, #"{"data":[],"pagination":{"total":1e30}}"#,
      .found(.number, expected: .wholeNumber), "GET /api/heroes, pagination.total"),
    Case(
      "hasMore as a number", .list, #"{"data":[],"pagination":{"total":0,"hasMore":1}}"#,
      .found(.number, expected: .boolean), "GET /api/heroes, pagination.hasMore"),
    Case(
      "next as a number", .list, #"{"data":[],"pagination":{"total":0,"next":1}}"#,
      .found(.number, expected: .string), "GET /api/heroes, pagination.next"),
    Case(
      "more to come, but nothing here", .list,
      #"{"data":[],"pagination":{"total":9,"hasMore":true}}"#, more, "GET /api/heroes, pagination"),
    Case(
      "more to come, but nothing here", .list,
      #"{"data":{"heroes":[],"pagination":{"total":9,"hasMore":true}}}"#, more,
      "GET /api/v1/heroes, data.pagination", dialect: .v1),
    Case(
      "the same page next", .list,
      #"{"data":[],"pagination":{"total":9,"hasMore":true,"next":"c"}}"#, more,
      "GET /api/heroes, pagination"),
  ]

  static let records = [
    Case("no data", .record, "{}", .found(.nothing, expected: .object), "GET /api/heroes/h, data"),
    Case(
      "a list", .record, #"{"data":[{}]}"#, .found(.array, expected: .object),
      "GET /api/heroes/h, data"),
    Case(
      "no id", .record, #"{"data":{\#(stamp)}}"#, .found(.nothing, expected: .string),
      "GET /api/heroes/h, data.id"),
    Case(
      "id as a number", .record, #"{"data":{"id":7,\#(stamp)}}"#,
      .found(.number, expected: .string),
      "GET /api/heroes/h, data.id"),
    Case(
      "an empty id", .record, #"{"data":{"id":"",\#(stamp)}}"#,
      .found(.emptyString, expected: .string),
      "GET /api/heroes/h, data.id"),
    Case(
      "no version", .record, #"{"data":{"id":"h"}}"#, .found(.nothing, expected: .string),
      "GET /api/heroes/h, data.updatedAt"),
    Case(
      "a version that is no date", .record,
      #"{"data":{"id":"h","updatedAt":"yesterday","name":"L","age":7,"traits":["b"]}}"#,
      .found(.text("yesterday"), expected: .date), "GET /api/heroes/h, data.updatedAt"),
    Case(
      "a version in seconds", .record, #"{"data":{"id":"h","updatedAt":1795168800}}"#,
      .found(.number, expected: .string), "GET /api/heroes/h, data.updatedAt"),
    Case(
      "age as text", .record, #"{"data":{\#(hero),"age":"7"}}"#,
      .found(.string, expected: .wholeNumber), "GET /api/heroes/h, data.age"),
    Case(
      "traits as text", .record, #"{"data":{\#(hero),"age":7,"traits":"brave"}}"#,
      .found(.string, expected: .strings), "GET /api/heroes/h, data.traits"),
    Case(
      "a trait that is null", .record, #"{"data":{\#(hero),"age":7,"traits":["brave",null]}}"#,
      .found(.null, expected: .string), "GET /api/heroes/h, data.traits[1]"),
    Case(
      "no name", .record, #"{"data":{"id":"h",\#(stamp),"age":7,"traits":["b"]}}"#,
      .found(.nothing, expected: .string), "GET /api/heroes/h, data.name"),
    Case(
      "an age that is null", .record, #"{"data":{\#(hero),"age":null,"traits":["b"]}}"#,
      .found(.null, expected: .wholeNumber), "GET /api/heroes/h, data.age"),
    Case(
      "no name", .record, #"{"data":{"id":"h",\#(stamp),"age":7,"traits":["b"]}}"#,
      .found(.nothing, expected: .string), "GET /api/v1/heroes/h, data.name", dialect: .v1),
    Case(
      "a list", .record, #"{"data":[{}]}"#, .found(.array, expected: .object),
      "GET /api/v1/heroes/h, data", dialect: .v1),
    Case(
      "an ability as a number", .record,
      #"{"data":{\#(hero),"age":7,"traits":["b"],"specialAbilities":[1]}}"#,
      .found(.number, expected: .stringOrStrings),
      "GET /api/v1/heroes/h, data.specialAbility", dialect: .v1),
    Case(
      "half a record after a create", .create, #"{"data":{"id":"h"}}"#,
      .found(.nothing, expected: .string), "POST /api/heroes, data.updatedAt"),
    Case(
      "a story without its text", .story,
      #"{"data":{"id":"s",\#(stamp),"title":"T","heroId":"h","content":["a"]}}"#,
      .found(.array, expected: .string), "POST /api/stories, data.content"),
  ]

  static let batches = [
    Case(
      "no results", .batch, #"{"data":{}}"#, .found(.nothing, expected: .array),
      "POST /api/batch, data.results"),
    Case(
      "too few results", .batch, #"{"data":{"results":[]}}"#, .resultCount(0, writes: 1),
      "POST /api/batch, data.results"),
    Case(
      "too many results", .batch, #"{"data":{"results":[{},{}]}}"#, .resultCount(2, writes: 1),
      "POST /api/batch, data.results"),
    Case(
      "no results", .newStory, #"{"success":true,"created":1}"#, .found(.nothing, expected: .array),
      "POST /api/batch/stories, results.created", dialect: .v1),
    Case(
      "the counts alone", .newStory, #"{"results":{"created":1,"failed":0}}"#,
      .found(.number, expected: .array), "POST /api/batch/stories, results.created", dialect: .v1),
    Case(
      "another record's id", .newStory,
      #"{"results":{"created":[{"localId":"x","serverId":"s"}],"failed":[]}}"#,
      .missingResult, "POST /api/batch/stories, results",
      dialect: .v1),
    Case(
      "a new record without its id", .newStory,
      #"{"results":{"created":[{"localId":"k","serverId":""}]}}"#,
      .found(.emptyString, expected: .string),
      "POST /api/batch/stories, results.created[0].serverId", dialect: .v1),
    Case(
      "a refusal that is no sentence", .newStory,
      #"{"results":{"created":[],"failed":[{"localId":"k","error":7}]}}"#,
      .found(.number, expected: .string), "POST /api/batch/stories, results.failed[0].error",
      dialect: .v1),
    Case(
      "an error in a success", .newStory, #"{"error":"broken"}"#,
      .errorInSuccess(status: 200, message: "broken"), "POST /api/batch/stories, error",
      dialect: .v1),
    Case(
      "a count of readings as text", .reading, #"{"data":{"playCount":"3"}}"#,
      .found(.string, expected: .wholeNumber), "POST /api/v1/stories/s/play, data.playCount",
      dialect: .v1),
  ]

  /// Answers that do not say what was asked.
  static let strangers =
    Dialect.allCases.flatMap { dialect -> [Case] in
      let place =
        switch dialect {
        case .v0: "/api/heroes/h"
        case .v1: "/api/v1/heroes/h"
        case .kinto: "/collections/heroes/records/h"
        }
      func hero(_ id: String) -> String {
        #"{"data":{"id":"\#(id)",\#(stamp),"name":"Luna","age":7,"traits":["brave"]}}"#
      }
      let other = AnswerProblem.otherRecord(id: "h2")
      let nothing = AnswerProblem.found(.nothing, expected: .string)
      let deletion = "DELETE \(place), data.id"
      return [
        Case("an empty object", .delete, "{}", nothing, deletion, dialect: dialect),
        Case("an empty list", .delete, "[]", nothing, deletion, dialect: dialect),
        Case("a number", .delete, "42", nothing, deletion, dialect: dialect),
        Case("success alone", .delete, #"{"success":true}"#, nothing, deletion, dialect: dialect),
        Case("a number as data", .delete, #"{"data":42}"#, nothing, deletion, dialect: dialect),
        Case("data without id", .delete, #"{"data":{}}"#, nothing, deletion, dialect: dialect),
        Case(
          "another record", .delete, #"{"data":{"id":"h2"}}"#, other, deletion, dialect: dialect),
        Case(
          "another record", .update, hero("h2"), other, "PATCH \(place), data.id",
          dialect: dialect),
        Case(
          "another record", .record, hero("h2"), other, "GET \(place), data.id",
          dialect: dialect),
      ]
    } + [
      Case(
        "a delete of nothing", .batch, #"{"data":{"results":[{"status":200}]}}"#,
        .found(.nothing, expected: .string), "POST /api/batch, data.results[0].data.id"),
      Case(
        "a delete of another record", .batch,
        #"{"data":{"results":[{"status":200,"data":{"id":"h2"}}]}}"#,
        .otherRecord(id: "h2"), "POST /api/batch, data.results[0].data.id"),
      Case(
        "an update of another record", .batchUpdate,
        #"{"data":{"results":[{"status":200,"data":\#(Samples.hero)}]}}"#,
        .otherRecord(id: "h1"), "POST /api/batch, data.results[0].data.id"),
      Case(
        "another hero's picture", .avatar, #"{"data":{"heroId":"h2","avatarUrl":"/a.png"}}"#,
        .otherHero, "POST /api/heroes/h/avatar, data.heroId"),
    ]

  static let accounts = [
    Case(
      "no session", .signIn, #"{"data":{"user":{"id":"u","email":"e"}}}"#,
      .found(.nothing, expected: .string), "POST /api/auth/sign-in, data.session.token"),
    Case(
      "an empty token", .signIn,
      #"{"data":{"user":{"id":"u","email":"e"},"session":{"token":""}}}"#,
      .found(.emptyString, expected: .string),
      "POST /api/auth/sign-in, data.session.token"),
    Case(
      "a session without its person", .signIn, #"{"data":{"session":{"token":"t"}}}"#,
      .found(.nothing, expected: .string), "POST /api/auth/sign-in, data.user.id"),
    Case(
      "an end that is no date", .signIn,
      #"{"data":{"user":{"id":"u","email":"e"},"session":{"token":"t","expiresAt":"never\n"}}}"#,
      .found(.text(#"never\n"#), expected: .date), "POST /api/auth/sign-in, data.session.expiresAt"),
    Case(
      "no token anywhere", .signIn, #"{"user":{"id":"u","email":"e"}}"#,
      .found(.nothing, expected: .string), "POST /api/auth/sign-in/email, token", dialect: .v1),
    Case(
      "a token as a number", .signIn, #"{"token":1,"user":{"id":"u","email":"e"}}"#,
      .found(.number, expected: .string), "POST /api/auth/sign-in/email, token", dialect: .v1),
    Case(
      "a renewal without a token", .refresh, #"{"data":{"session":{}}}"#,
      .found(.nothing, expected: .string), "POST /api/auth/session/refresh, data.session.token"),
    Case(
      "a renewal that is no object", .refresh, "7",
      .found(.number, expected: .object), "GET /api/auth/get-session", dialect: .v1),
    Case(
      "a session that is no object", .refresh, #"{"session":"t"}"#,
      .found(.string, expected: .object), "GET /api/auth/get-session, session", dialect: .v1),
    Case(
      "an end that is no date", .refresh, #"{"session":{"token":"x","expiresAt":7}}"#,
      .found(.number, expected: .string), "GET /api/auth/get-session, session.expiresAt",
      dialect: .v1),
    Case(
      "a session without its person", .signIn, #"{"token":"x"}"#,
      .found(.nothing, expected: .string),
      "POST /api/auth/sign-in/email, user.id", dialect: .v1),
    Case(
      "a web page", .signIn, "<html>", .webPage,
      "POST /api/auth/sign-in/email", dialect: .v1),
    Case(
      "a profile without id", .profile, #"{"data":{"user":{"email":"e"}}}"#,
      .found(.nothing, expected: .string), "GET /api/v1/user/profile, data.user.id", dialect: .v1),
    Case(
      "a limit as text", .usage, #"{"data":{"audio_generation":{"limit":"5"}}}"#,
      .found(.string, expected: .wholeNumber),
      "GET /api/v1/user/usage, data.audio_generation.limit", dialect: .v1),
    Case(
      "a reset that is no date", .usage,
      #"{"data":{"audio_generation":{"limit":5,"remaining":5,"resetAt":"soon"}}}"#,
      .found(.text("soon"), expected: .date), "GET /api/user/usage, data.audio_generation.resetAt"),
    Case(
      "a profile without email", .profile, #"{"data":{"id":"u"}}"#,
      .found(.nothing, expected: .string), "GET /api/user/profile, data.email"),
    Case(
      "a name as a number", .profile, #"{"data":{"id":"u","email":"e","name":1}}"#,
      .found(.number, expected: .string), "GET /api/user/profile, data.name"),
    Case(
      "usage as a list", .usage, #"{"data":[]}"#, .found(.array, expected: .object),
      "GET /api/user/usage, data"),
    Case(
      "usage below zero", .usage, #"{"data":{"story_generation":{"limit":1,"remaining":-1}}}"#,
      .found(.integer(-1), expected: .count), "GET /api/user/usage, data.story_generation.remaining"
    ),
  ]

  static let others = [
    Case(
      "no status", .health, #"{"data":{}}"#, .found(.nothing, expected: .string),
      "GET /api/health, data.status"),
    Case(
      "another program's health", .health, #"{"status":"UP"}"#, .found(.nothing, expected: .string),
      "GET /api/health, data.status"),
    Case(
      "features as text", .health, #"{"data":{"status":"healthy","features":"etag"}}"#,
      .found(.string, expected: .array), "GET /api/health, data.features"),
    Case(
      "a feature as a number", .health, #"{"data":{"status":"healthy","features":[1]}}"#,
      .found(.number, expected: .string), "GET /api/health, data.features[0]"),
    Case(
      "a limit as text", .health,
      #"{"data":{"status":"healthy","limits":{"page":"100"}}}"#,
      .found(.string, expected: .wholeNumber), "GET /api/health, data.limits.page"),
    Case(
      "no status", .health, #"{"data":{"version":"1"}}"#, .found(.nothing, expected: .string),
      "GET /api/v1/health, data.status", dialect: .v1),
    Case(
      "an avatar without its place", .avatar, #"{"data":{"heroId":"h"}}"#,
      .found(.nothing, expected: .string), "POST /api/heroes/h/avatar, data.avatarUrl"),
    Case(
      "an unknown status", .audio, #"{"data":{"status":"dreaming"}}"#,
      .unknownStatus("dreaming"), "GET /api/stories/s/audio, data.status"),
    Case(
      "a length as text", .audio, #"{"data":{"status":"completed","audioDuration":"12"}}"#,
      .found(.string, expected: .number), "GET /api/stories/s/audio, data.audioDuration"),
    Case(
      "an unknown status", .progress, #"{"data":{"status":"?"}}"#,
      .unknownStatus("?"), "GET /api/stories/s/illustrations/status, data.status"),
    Case(
      "a picture without its order", .progress,
      #"{"data":{"status":"pending","illustrations":[{"id":"i"}]}}"#,
      .found(.nothing, expected: .wholeNumber),
      "GET /api/stories/s/illustrations/status, data.illustrations[0].displayOrder"),
    Case(
      "an avatar without its place", .avatar, #"{"data":{"avatarUrl":null}}"#,
      .found(.null, expected: .string), "POST /api/v1/heroes/h/avatar, data.avatarUrl", dialect: .v1
    ),
    Case(
      "an unknown status", .audio, #"{"data":{"status":"dreaming"}}"#,
      .unknownStatus("dreaming"), "GET /api/v1/stories/s/audio, data.status",
      dialect: .v1),
    Case(
      "an unknown status of a picture", .progress,
      #"{"data":{"status":"pending","illustrations":[{"id":"i","displayOrder":1,"status":"?"}]}}"#,
      .unknownStatus("?"),
      "GET /api/v1/stories/s/illustrations/status, data.illustrations[0].status", dialect: .v1),
    Case(
      "a story without pictures", .pictures, #"{"data":{"id":"s"}}"#,
      .found(.nothing, expected: .array), "GET /api/v1/stories/s, data.illustrations", dialect: .v1),
    Case(
      "a story that was written, without its text", .story,
      #"{"data":{"id":"s",\#(stamp),"title":"T","heroId":"h"}}"#,
      .found(.nothing, expected: .string),
      "POST /api/v1/stories, data.content", dialect: .v1),
    Case(
      "another program's health", .health, "[]", .found(.nothing, expected: .string),
      "GET /api/v1/health, data.status", dialect: .v1),
    Case(
      "a web page", .health, "<html>", .webPage, "GET /api/v1/health",
      dialect: .v1),
    Case(
      "pictures as an object", .pictures, #"{"data":{}}"#, .found(.object, expected: .array),
      "GET /api/stories/s/illustrations, data"),
    Case(
      "a picture without a version", .pictures, #"{"data":[{"id":"i"}]}"#,
      .found(.nothing, expected: .string), "GET /api/stories/s/illustrations, data[0].updatedAt"),
  ]

  /// Answers that are not whole.
  @Test(arguments: Dialect.allCases, ["cut off", "no HTTP"])
  func `what does not arrive is told as that`(_ dialect: Dialect, _ name: String) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    let (text, failure): (String, NetworkFailure) =
      switch name {
      case "cut off": (head + "90\r\n\r\n{\"data\":[", .truncated)
      default: ("220 mail\r\n", .notHTTP)
      }
    let server = try ScriptedServer { _, _ in .bytes(Array(text.utf8), closes: true) }
    let client = try APIClient(server, .quick(dialect: dialect))
    for call in [Call.list, .record, .create, .signIn, .profile] {
      let test = Case(name, call, "", .emptyBody, "", dialect: dialect)
      do {
        try await Self.call(test, client)
        Issue.record("\(call) was answered")
      } catch let error as APIError {
        #expect(error == .network(failure), "\(call)")
      }
    }
  }

  @Test func `there are at least sixty`() {
    let all =
      Self.whole + Self.lists + Self.records + Self.batches + Self.strangers + Self.accounts
      + Self.others
    #expect(all.count >= 60)
    #expect(Set(all.map(\.testDescription)).count == all.count)
  }

  @Test(arguments: whole + lists + records + batches + strangers + accounts + others)
  func `each has its error`(_ test: Case) async throws {
    let server = try ScriptedServer { request, _ in
      switch test.call {
      case .batch where request.method == "GET", .batchUpdate where request.method == "GET":
        .answer(200, Samples.health)
      // The story is read before its readings are counted.
      case .reading where request.method == "GET":
        .answer(200, #"{"data":\#(Samples.story.replacing("s1", with: "s"))}"#)
      default: .answer(200, test.body)
      }
    }
    let clock = SteppingClock()
    var session = Session(token: Secret("t"))
    // One that is about to end is renewed first; one that was refused is renewed as well.
    if test.call == .refresh { session.expiresAt = clock.now.advanced(by: .seconds(-1)) }
    session.refreshToken = Secret("r")
    let client = try APIClient(server, .quick(clock, dialect: test.dialect), session: session)
    await #expect(throws: test.error) { try await Self.call(test, client) }
  }

  private static func call(_ test: Case, _ client: APIClient) async throws {
    let hero = RemoteWrite(operation: .create, kind: .heroes, idempotencyKey: "k")
    let gone = RemoteWrite(operation: .delete, kind: .heroes, id: "h", idempotencyKey: "k")
    switch test.call {
    case .health: _ = try await client.serverInfo()
    case .list: _ = try await client.page(of: .heroes, PageRequest(cursor: "c"))
    case .record: _ = try await client.record(.heroes, id: "h")
    case .create: _ = try await client.perform(hero)
    case .update:
      _ = try await client.perform(
        RemoteWrite(
          operation: .update, kind: .heroes, id: "h", idempotencyKey: "k", body: ["age": 8]))
    case .delete: _ = try await client.perform(gone)
    case .batch: _ = try await client.performBatch([gone]).map { try $0.get() }
    case .batchUpdate:
      _ = try await client.performBatch([
        RemoteWrite(
          operation: .update, kind: .heroes, id: "h", idempotencyKey: "k", body: ["age": 8])
      ]).map { try $0.get() }
    case .signIn: _ = try await client.signIn(email: "e", password: Secret("p"))
    case .refresh: _ = try await client.renewSession()
    case .profile: _ = try await client.currentUser()
    case .usage: _ = try await client.usage(policy: .networkOnly)
    case .avatar: _ = try await client.generateAvatar(heroID: "h")
    case .story:
      _ = try await client.generateStory(StoryOrder(heroID: "h", event: .builtIn("bedtime")))
    case .audio: _ = try await client.audioStatus(storyID: "s")
    case .progress: _ = try await client.illustrationStatus(storyID: "s")
    case .pictures: _ = try await client.illustrations(storyID: "s")
    case .newStory:
      _ = try await client.perform(
        RemoteWrite(operation: .create, kind: .stories, idempotencyKey: "k"))
    case .reading:
      _ = try await client.perform(
        RemoteWrite(
          operation: .update, kind: .stories, id: "s", idempotencyKey: "k",
          body: ["playCount": 1]))
    }
  }

  /// Answers with bytes changed at random: whatever they are, there is a result or an error.
  @Test func `no answer is a crash`() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    print("seed of the broken answers: \(seed)")
    let good = Array(
      Samples.page([Samples.hero, Samples.story].joined(separator: ","), total: 2).utf8)
    let texts = (0..<400).map { _ in
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      return bytes
    }
    let server = try ScriptedServer { _, number in .answer(200, bytes: texts[number]) }
    let client = try APIClient(server)
    var errors = 0
    for _ in texts {
      do {
        _ = try await client.page(of: .heroes)
      } catch {
        guard case .decoding = error else {
          Issue.record("\(error)")
          continue
        }
        errors += 1
      }
    }
    #expect(errors > 0)
  }
}

extension AnswerProblem {
  fileprivate static func found(
    _ found: WireMismatch.Found, expected: WireMismatch.Expected
  ) -> AnswerProblem { .mismatch(WireMismatch(expected, found: found)) }
}
