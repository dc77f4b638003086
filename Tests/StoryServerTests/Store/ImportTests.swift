import JSONText
import StoryServer
import TestSupport
import Testing

@Suite struct ImportTests {
  private func record(
    _ id: String, _ updatedAt: String, _ json: String = "{}", kind: RecordKind = .heroes
  ) -> ImportedRecord {
    ImportedRecord(kind: kind, id: id, updatedAt: updatedAt, json: Array(json.utf8))
  }

  private func server(_ folder: TemporaryFolder, _ clock: ManualClock) throws -> StoryServer {
    var options = ServerOptions(dataFolder: folder.path + "/data")
    options.clock = { clock.now }
    return try StoryServer(options: options)
  }

  @Test func recordsStayAsTheyAreAndAreOrderedByTheirTime() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let importing = try server(folder, clock)
    let refused = try importing.replaceRecords(
      of: TestServer.email,
      with: [
        record("c", "2026-01-02T00:00:00.123456Z", #"{"name":"C","age":1e0,"wings":{"n":[1.50]}}"#),
        record("a", "2026-01-02T01:00:00.123457+01:00", "{\r\n \"id\" : \"x\", \"name\":\"A\"}"),
        record("b", "2026-01-01T23:59:59Z", #"{"updatedAt":"old","name":"B"}"#),
        record("s", "2026-01-01T00:00:00Z", #"{"title":"S","heroId":"c"}"#, kind: .stories),
        record("", "2026-01-01T00:00:00Z"), record("d", "yesterday"),
        record("e", "2026-01-01T00:00:00Z", "{"), record("f", "2026-01-01T00:00:00Z", "[]"),
      ], stateTag: "digest")
    #expect(refused.map(\.id) == ["", "d", "e", "f"])
    #expect(refused[1].reason == "its updatedAt is not a date and time: “yesterday”")
    let expected = [
      #"{"id":"b","name":"B","updatedAt":"2026-01-01T23:59:59Z"}"#,
      #"{"id":"c","name":"C","age":1e0,"wings":{"n":[1.50]},"updatedAt":"2026-01-02T00:00:00.123456Z"}"#,
      #"{"id":"a","name":"A","updatedAt":"2026-01-02T01:00:00.123457+01:00"}"#,
    ]
    func texts(_ server: StoryServer) throws -> [String] {
      try server.records(.heroes, of: TestServer.email).map {
        String(decoding: $0.json, as: UTF8.self)
      }
    }
    #expect(try texts(importing) == expected)
    #expect(importing.stateTag(of: TestServer.email) == "digest")
    importing.stop()

    let again = try TestServer(folder: folder, clock: clock)
    #expect(try texts(again.server) == expected)
    let client = try again.client()
    let etag = "\"2026-01-02T00:00:00.123456Z\""
    #expect(try client.send("GET", "/api/heroes/c")["etag"] == etag)
    let page = try client.send("GET", "/api/heroes?updatedAfter=2026-01-02T00:00:00.123456Z")
    #expect(page.data?.array?.map(\.id) == ["c", "a"])
    #expect(
      try client.send("GET", "/api/heroes?updatedAfter=2026-01-02T00:00:00.123457Z").data?.array?
        .map(\.id) == ["a"])
    #expect(try client.send("GET", "/api/stories?heroId=c").data?.array?.map(\.id) == ["s"])
    let changed = try client.send(
      "PATCH", "/api/heroes/c", ["age": 2], headers: ["If-Match": etag])
    #expect(
      changed.data == [
        "id": "c", "name": "C", "age": 2, "wings": ["n": [number("1.5")]],
        "updatedAt": "2026-11-20T10:00:00.000000Z",
      ])
    let added = try client.send("PATCH", "/api/heroes/b", ["height": "tall", "hairColor": nil])
    #expect(added.data?["height"] == "tall")
  }

  @Test func replacingForgetsWhatWas() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var running: TestServer? = try TestServer(folder: folder, clock: clock)
    let client = try #require(try running?.client())
    let bob = try #require(try running?.client(email: "bob@example.org"))
    let bobs = try bob.createHero("Bob's")
    let key = ["Idempotency-Key": "k"]
    let gone = try client.createHero("Gone", headers: key)
    let deleted = try client.createHero("Deleted")
    try client.send("DELETE", "/api/heroes/\(deleted.id)")
    try running?.server.setStateTag("old", of: TestServer.email)
    running = nil

    let importing = try server(folder, clock)
    _ = try importing.replaceRecords(
      of: TestServer.email, with: [record("kept", "2020-01-01T00:00:00Z", #"{"name":"Kept"}"#)])
    #expect(importing.stateTag(of: TestServer.email) == nil)
    importing.stop()

    let again = try TestServer(folder: folder, clock: clock)
    let later = try again.client()
    let page = try later.send("GET", "/api/heroes?includeDeleted=true")
    #expect(page.data?.array?.map(\.id) == ["kept"])
    let anew = try later.createHero("Gone", headers: key)
    #expect(anew.id != gone.id, "the key's answer is gone with its record")
    #expect(anew.updatedAt > deleted.updatedAt, "the clock does not go back")
    #expect(try again.client(email: "bob@example.org").send("GET", "/api/heroes").data == [bobs])
  }

  @Test func anImportThatEndsAnywhereKeepsWhatOnlyTheServerHas() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var running: TestServer? = try TestServer(folder: folder, clock: clock)
    let key = ["Idempotency-Key": "k"]
    let only = try #require(try running?.client().createHero("Only here", headers: key))
    try running?.server.setStateTag("old", of: TestServer.email)
    running = nil
    let start = try folder.bytes("data/log").count

    let importing = try server(folder, clock)
    let text = String(repeating: "x", count: 150_000)
    let records = ["a", "b", "c"].map {
      record($0, "2020-01-01T00:00:00Z", "{\"name\":\"\($0) \(text)\"}")
    }
    #expect(
      try importing.replaceRecords(
        of: TestServer.email, with: records, keeping: { $0 == only.id }) == [])
    importing.stop()
    let log = try folder.bytes("data/log")
    let lineEnds = log.indices.filter { $0 >= start - 1 && log[$0] == UInt8(ascii: "\n") }
    #expect(lineEnds.count == 5)
    for end in lineEnds.flatMap({ [$0 + 1, $0 + 20] }) where end <= log.count {
      try folder.write(log[..<end], to: "data/log")
      let again = try server(folder, clock)
      let heroes = try again.records(.heroes, of: TestServer.email)
      #expect(heroes.contains { $0.value == only }, "cut off at \(end)")
      // Its data counts as that of a library, though not as it is now.
      #expect(again.stateTag(of: TestServer.email) == (end > lineEnds[1] ? "" : "old"))
      again.stop()
    }
    let last = try TestServer(folder: folder, clock: clock)
    let client = try last.client()
    #expect(try client.createHero("Only here", headers: key) == only)
    #expect(try client.send("GET", "/api/heroes").data?.array?.count == 4)
  }

  /// The story of a picture comes after the line that removes all, at this attempt or the next.
  @Test func anImportThatEndsEarlyKeepsThePictures() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let story = record("s", "2026-01-02T00:00:00Z", #"{"title":"S"}"#, kind: .stories)
    let picture = record(
      "p", "2026-01-02T00:00:00Z", #"{"storyId":"s","order":1}"#, kind: .illustrations)
    let first = try server(folder, clock)
    #expect(try first.replaceRecords(of: TestServer.email, with: [story, picture]) == [])
    first.stop()
    func pictures(
      after records: [ImportedRecord], isComplete: Bool = true
    ) throws -> [String] {
      let server = try server(folder, clock)
      _ = try server.replaceRecords(
        of: TestServer.email, with: records, isComplete: { isComplete })
      server.stop()
      let again = try self.server(folder, clock)
      defer { again.stop() }
      return try again.records(.illustrations, of: TestServer.email).filter { !$0.isDeleted }
        .map(\.id)
    }
    #expect(try pictures(after: [], isComplete: false) == ["p"])
    #expect(try pictures(after: [record("", "2026-01-02T00:00:00Z", kind: .stories)]) == ["p"])
    #expect(try pictures(after: [story]) == ["p"])
    #expect(try pictures(after: []) == [])
    for line in try folder.read("data/log").split(separator: "\n") {
      // The check stands before the object.
      _ = try JSONDocument(parsing: Array(line.drop { $0 != "{" }.utf8))
    }
  }

  @Test func aStateTagIsKept() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let first = try server(folder, clock)
    #expect(first.stateTag(of: TestServer.email) == nil)
    #expect(throws: StoryServerError.unknownAccount(email: TestServer.email)) {
      try first.setStateTag("x", of: TestServer.email)
    }
    _ = try first.issueToken(email: TestServer.email)
    try first.setStateTag("x", of: TestServer.email)
    first.stop()
    let second = try server(folder, clock)
    #expect(second.stateTag(of: TestServer.email) == "x")
    try second.setStateTag(nil, of: TestServer.email)
    second.stop()
    #expect(try server(folder, clock).stateTag(of: TestServer.email) == nil)
  }

  @Test func aRunningServerKeepsItsRecords() throws {
    let server = try TestServer()
    #expect(throws: StoryServerError.alreadyStarted) {
      try server.server.replaceRecords(of: TestServer.email, with: [])
    }
  }

  @Test func datesAtTheEndOfTimeDoNotStopTheClock() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let importing = try server(folder, clock)
    _ = try importing.replaceRecords(
      of: TestServer.email, with: [record("a", "9999-12-31T23:59:59.999Z")])
    importing.stop()
    let again = try TestServer(folder: folder, clock: clock)
    let client = try again.client()
    let (first, second) = (try client.createHero("1"), try client.createHero("2"))
    let changed = try client.send("PATCH", "/api/heroes/\(first.id)", ["age": 1])
    #expect(try #require(changed.data).updatedAt > second.updatedAt)
  }
}
