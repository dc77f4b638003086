import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryServer

@Suite struct CompactionTests {
  /// A log that is mostly void is written anew when the server starts, and reads as before.
  @Test func aCompactedLogReadsAsTheSameState() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var server: TestServer? = try TestServer(folder: folder, clock: clock)
    let stranger = try #require(try server?.stranger())
    let account: JSONValue = [
      "email": .string(TestServer.email), "password": "long enough", "name": "Ann",
    ]
    let first = try stranger.send("POST", "/api/auth/sign-up", account).data?["session"]
    let client = stranger
    client.token = first?["token"]?.string
    let refresh: JSONValue = ["refreshToken": first?["refreshToken"] ?? nil]
    let session = try client.send("POST", "/api/auth/session/refresh", refresh).data?["session"]
    client.token = session?["token"]?.string
    let old = try client.createHero("Forgotten key", headers: ["Idempotency-Key": "old"])
    clock.advance(days: 8)
    let hero = try client.createHero("Luna", headers: ["Idempotency-Key": "new"])
    let gone = try client.createHero("Gone")
    _ = try client.createStory("Gone too", hero: gone.id)
    let story = try client.createStory("Snow", hero: hero.id)
    let delete = ["Idempotency-Key": "delete"]
    let deleted = try client.send("DELETE", "/api/heroes/\(gone.id)", headers: delete)
    let filler = String(repeating: "It snows. ", count: 3000)
    for number in 0..<20 {
      let body: JSONValue = ["content": .string("\(number) \(filler)")]
      #expect(try client.send("PATCH", "/api/stories/\(story.id)", body).status == 200)
    }
    for age in 10..<30 {
      let body: JSONValue = ["age": .number(JSONNumber(age))]
      #expect(try client.send("PATCH", "/api/heroes/\(hero.id)", body).status == 200)
    }
    try server?.server.setStateTag("tag", of: TestServer.email)
    let before = try RecordKind.allCases.map {
      try server?.server.records($0, of: TestServer.email) ?? []
    }
    server = nil
    let size = try folder.bytes("data/log").count
    #expect(size > 600_000)
    try folder.write([1, 2, 3], to: "data/log.new")

    let again = try TestServer(folder: folder, clock: clock)
    let compact = try folder.bytes("data/log").count
    #expect(compact < 100_000)
    #expect(throws: (any Error).self) { try folder.bytes("data/log.new") }
    let after = try RecordKind.allCases.map {
      try again.server.records($0, of: TestServer.email)
    }
    #expect(after == before)
    #expect(try folder.mode("data/log") == 0o600)
    #expect(again.server.stateTag(of: TestServer.email) == "tag")

    let later = try again.stranger()
    later.token = session?["token"]?.string
    #expect(try later.send("GET", "/api/user/profile").data?["name"] == "Ann")
    let replay = try later.send(
      "POST", "/api/heroes", TestClient.hero("Luna"), headers: ["Idempotency-Key": "new"])
    #expect(replay.data == hero, "an answer outlives the record's later versions")
    let replayedDelete = try later.send("DELETE", "/api/heroes/\(gone.id)", headers: delete)
    #expect(replayedDelete.body == deleted.body)
    let other = try later.createHero("Forgotten key", headers: ["Idempotency-Key": "old"])
    #expect(other.id != old.id)
    #expect(other.updatedAt > after.flatMap { $0 }.compactMap { $0.value?.updatedAt }.max() ?? "")
    #expect(try later.send("POST", "/api/auth/sign-in", account).status == 200)
    let reuse = try later.send("POST", "/api/auth/session/refresh", refresh)
    #expect(
      reuse.errorCode == "sessionRevoked", "a refresh token that was used is still known as one")

    again.server.stop()
    let third = try TestServer(folder: folder, clock: clock)
    #expect(try third.server.records(.stories, of: TestServer.email) == before[1])
  }

  /// As where a crash cuts a rename over the old log in two.
  @Test func aNewLogWithoutAnOldOneIsTheLog() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let hero = try #require(try server?.client().createHero("Luna"))
    server?.server.stop()
    server = nil
    let log = try folder.bytes("data/log")
    try folder.write(log, to: "data/log.new")
    try FileSystem.remove(folder.path("data/log"))
    let again = try TestServer(folder: folder)
    #expect(try folder.bytes("data/log").starts(with: log))
    #expect(try again.server.records(.heroes, of: TestServer.email).map(\.id) == [hero.id])
  }

  /// As on a full disk: the server starts all the same.
  @Test func aLogThatCannotBeCompactedStaysAsItIs() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let hero = try #require(try server?.client().createHero("Luna"))
    let filler = String(repeating: "It snows. ", count: 3000)
    let client = try #require(try server?.client())
    let story = try client.createStory("Snow", hero: hero.id)
    for number in 0..<20 {
      let body: JSONValue = ["content": .string("\(number) \(filler)")]
      #expect(try client.send("PATCH", "/api/stories/\(story.id)", body).status == 200)
    }
    let before = try server?.server.records(.stories, of: TestServer.email)
    server?.server.stop()
    server = nil
    let log = try folder.bytes("data/log")
    // The new log cannot be made in the place of a folder.
    try folder.write([1], to: "data/log.new/file")
    let again = try TestServer(folder: folder)
    #expect(try folder.bytes("data/log").starts(with: log))
    #expect(try again.server.records(.stories, of: TestServer.email) == before)
    #expect(try again.client().createHero("Ben").id != hero.id)
  }

  @Test func theClockOutlivesTheRecordsThatSetIt() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var server: TestServer? = try TestServer(folder: folder, clock: clock)
    let late = "2027-05-05T00:00:00.000Z"
    let filler = Array("{\"content\":\"\(String(repeating: "x", count: 400_000))\"}".utf8)
    server?.server.stop()
    server = nil
    var options = ServerOptions(dataFolder: folder.path + "/data")
    options.clock = { clock.now }
    for records in [[ImportedRecord(kind: .stories, id: "s", updatedAt: late, json: filler)], []] {
      let importing = try StoryServer(options: options)
      #expect(try importing.replaceRecords(of: TestServer.email, with: records) == [])
      importing.stop()
    }
    let again = try TestServer(folder: folder, clock: clock)
    #expect(try folder.bytes("data/log").count < 10_000, "it was compacted")
    let next = Timestamp(try again.client().createHero("Luna").updatedAt)
    #expect(try #require(next) > #require(Timestamp(late)))
  }
}
