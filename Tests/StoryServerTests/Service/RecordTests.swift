import JSONText
import StoryServer
import TestSupport
import Testing

@Suite struct RecordTests {
  @Test func aHeroHasAllItsMembers() throws {
    let server = try TestServer()
    let hero = try server.client().createHero("Luna")
    #expect(hero["name"] == "Luna")
    #expect(hero["createdAt"] == "2026-11-20T10:00:00.000000Z")
    #expect(hero["updatedAt"] == hero["createdAt"])
    #expect(
      hero.object?.keys == [
        "id", "name", "age", "traits", "specialAbility", "appearance", "hairColor", "eyeColor",
        "skinTone", "height", "avatarUrl", "avatarGenerationId", "createdAt", "updatedAt",
      ])
    let id = Array(hero.id.utf8)
    #expect(id.count == 36 && id[14] == UInt8(ascii: "4") && hero.id == hero.id.lowercased())
  }

  @Test func aStoryAndAnEventGetTheirDefaults() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let story = try client.createStory("Snow", hero: hero.id)
    var expected: JSONValue = [
      "id": .string(story.id), "title": "Snow", "content": "Once.", "heroId": .string(hero.id),
      "eventType": nil, "customEventId": nil, "language": "en", "audioUrl": nil,
      "audioGenerationStatus": "pending", "audioDuration": nil, "illustrationStatus": "none",
      "illustrationCount": 0, "isFavorite": false, "playCount": 0, "lastPlayedAt": nil,
      "createdAt": "2026-11-20T10:00:00.000001Z", "updatedAt": "2026-11-20T10:00:00.000001Z",
    ]
    #expect(story == expected)
    let event = try client.send(
      "POST", "/api/custom-events", ["title": "Tooth", "promptSeed": "A tooth", "tone": nil])
    #expect(event.status == 201)
    expected = [
      "id": .string(event.data?.id ?? ""), "title": "Tooth", "description": nil,
      "promptSeed": "A tooth", "category": "general", "ageRange": nil, "tone": "cheerful",
      "keywords": [], "isFavorite": false, "usageCount": 0,
      "createdAt": "2026-11-20T10:00:00.000002Z", "updatedAt": "2026-11-20T10:00:00.000002Z",
    ]
    #expect(event.data == expected)
  }

  @Test func whatTheServerOwnsAndWhatNobodyKnowsIsIgnored() throws {
    let server = try TestServer()
    let client = try server.client()
    let created = try client.send(
      "POST", "/api/heroes",
      [
        "id": "mine", "name": "Luna", "age": number("7.0"), "traits": [], "avatarUrl": "http://x",
        "createdAt": 5, "updatedAt": nil, "unknown": ["deep": [1, 2]],
      ])
    let hero = try #require(created.data)
    #expect(hero.id != "mine")
    #expect(hero["avatarUrl"] == .null)
    #expect(hero["unknown"] == nil)
    let changed = try client.send(
      "PATCH", "/api/heroes/\(hero.id)", ["id": "mine", "avatarUrl": "x", "wings": true])
    #expect(changed.data == hero, "nothing was changed, and the version stays")
  }

  @Test func onlyTheMembersSentChange() throws {
    let server = try TestServer()
    let client = try server.client()
    let created = try client.send(
      "POST", "/api/heroes",
      ["name": "Luna", "age": 7, "traits": ["brave"], "hairColor": "red", "height": "small"])
    var expected = try #require(created.data?.object)
    let id = try #require(created.data?.id)
    let changed = try client.send(
      "PATCH", "/api/heroes/\(id)", ["age": 8, "hairColor": nil, "eyeColor": "gr\u{FC}n"])
    expected["age"] = 8
    expected["hairColor"] = .null
    expected["eyeColor"] = "grün"
    expected["updatedAt"] = "2026-11-20T10:00:00.001000Z"
    #expect(changed.status == 200)
    #expect(changed.data == .object(expected))
    #expect(changed.data?.object?.keys == created.data?.object?.keys)
    #expect(try client.send("GET", "/api/heroes/\(id)").data == changed.data)
  }

  @Test func textsComeBackAsTheyWereSent() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    for content in [
      "", "a\nb\r\n\tc", "\"\\/\u{8}\u{C}\u{1}\u{7F}", "e\u{301} \u{E9} 🦊👩‍👩‍👧", "\u{2028}\u{FEFF}",
      String(repeating: "long ", count: 30_000),
    ] {
      let created = try client.send(
        "POST", "/api/stories", TestClient.story("T", hero: hero.id, content: content))
      #expect(created.status == 201)
      let read = try client.send("GET", "/api/stories/\(created.data?.id ?? "")")
      #expect(read.data?["content"] == .string(content))
    }
  }

  struct Bad: CustomTestStringConvertible {
    var path: String
    var body: JSONValue
    var fields: [String]
    var testDescription: String { "\(path) \(body.compactText.prefix(60))" }
  }

  @Test(
    "what is wrong is told per field",
    arguments: [
      Bad(path: "heroes", body: [:], fields: ["name", "age"]),
      Bad(path: "heroes", body: ["name": "", "age": 7], fields: ["name"]),
      Bad(path: "heroes", body: ["name": " \n", "age": 7], fields: ["name"]),
      Bad(path: "heroes", body: ["name": nil, "age": nil], fields: ["name", "age"]),
      Bad(path: "heroes", body: ["name": 7, "age": "seven"], fields: ["name", "age"]),
      Bad(path: "heroes", body: ["name": "L", "age": -1], fields: ["age"]),
      Bad(path: "heroes", body: ["name": "L", "age": 151], fields: ["age"]),
      Bad(
        path: "heroes",
        body: ["name": "L", "age": number("7.5")],
        fields: ["age"]),
      Bad(
        path: "heroes",
        body: ["name": "L", "age": number("1e400")],
        fields: ["age"]),
      Bad(
        path: "heroes", body: ["name": .string(String(repeating: "n", count: 201)), "age": 7],
        fields: ["name"]),
      Bad(path: "heroes", body: ["name": "L", "age": 7, "traits": "brave"], fields: ["traits"]),
      Bad(path: "heroes", body: ["name": "L", "age": 7, "traits": [1]], fields: ["traits"]),
      Bad(path: "heroes", body: ["name": "L", "age": 7, "traits": [""]], fields: ["traits"]),
      Bad(
        path: "heroes",
        body: ["name": "L", "age": 7, "traits": .array(Array(repeating: "x", count: 21))],
        fields: ["traits"]),
      Bad(path: "heroes", body: ["name": "L", "age": 7, "height": 120], fields: ["height"]),
      Bad(
        path: "stories", body: ["content": "x", "heroId": "none"], fields: ["title"]),
      Bad(
        path: "stories", body: ["title": "T", "content": "x", "heroId": "none"],
        fields: ["heroId"]),
      Bad(path: "stories", body: ["title": "T", "content": "x", "heroId": ""], fields: ["heroId"]),
      Bad(
        path: "stories",
        body: [
          "title": "T", "content": ["x"], "heroId": "h", "language": "english!", "isFavorite": 1,
          "playCount": -1, "eventType": "",
        ], fields: ["content", "eventType", "language", "isFavorite", "playCount"]),
      Bad(path: "custom-events", body: ["title": "T"], fields: ["promptSeed"]),
      Bad(
        path: "custom-events",
        body: ["title": "T", "promptSeed": "p", "keywords": ["", 2], "category": false],
        fields: ["category", "keywords"]),
    ])
  func validates(_ example: Bad) throws {
    let server = try TestServer()
    let client = try server.client()
    let response = try client.send("POST", "/api/\(example.path)", example.body)
    #expect(response.status == 400)
    #expect(response.errorCode == "validation")
    #expect(response.json?["error"]?["details"]?.object?.keys == example.fields)
    #expect(try client.send("GET", "/api/\(example.path)").json?["pagination"]?["total"] == 0)
  }

  @Test func aChangeIsCheckedLikeACreate() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let response = try client.send(
      "PATCH", "/api/heroes/\(hero.id)", ["name": nil, "age": "x", "hairColor": "blue"])
    #expect(response.status == 400)
    #expect(response.json?["error"]?["details"]?.object?.keys == ["name", "age"])
    #expect(try client.send("GET", "/api/heroes/\(hero.id)").data == hero)
  }

  @Test func storiesNameHeroesAndEventsThatAreThere() throws {
    let server = try TestServer()
    let client = try server.client()
    let (luna, max) = (try client.createHero("Luna"), try client.createHero("Max"))
    let event = try #require(
      try client.send("POST", "/api/custom-events", ["title": "T", "promptSeed": "p"]).data)
    let story = try client.createStory("Snow", hero: luna.id)
    let path = "/api/stories/\(story.id)"
    #expect(try client.send("PATCH", path, ["heroId": "none"]).status == 400)
    #expect(try client.send("PATCH", path, ["customEventId": "none"]).status == 400)
    let moved = try client.send(
      "PATCH", path, ["heroId": .string(max.id), "customEventId": .string(event.id)])
    #expect(moved.status == 200)
    #expect(try client.send("DELETE", "/api/custom-events/\(event.id)").status == 200)
    let kept = try client.send(
      "PATCH", path, ["title": "Ice", "customEventId": .string(event.id)])
    #expect(kept.status == 200, "a reference that stays may dangle")
    #expect(try client.send("DELETE", "/api/heroes/\(luna.id)").status == 200)
    #expect(try client.send("GET", path).status == 200, "it has another hero now")
  }

  @Test func aDeletedHeroTakesItsStoriesAlong() throws {
    let server = try TestServer()
    let client = try server.client()
    let (luna, max) = (try client.createHero("Luna"), try client.createHero("Max"))
    let gone = [
      try client.createStory("A", hero: luna.id), try client.createStory("B", hero: luna.id),
    ]
    let stays = try client.createStory("C", hero: max.id)
    let deleted = try client.send("DELETE", "/api/heroes/\(luna.id)")
    #expect(deleted.status == 200)
    #expect(deleted.data == ["id": .string(luna.id)])
    #expect(deleted["etag"] == nil)
    let heroes = try client.send("GET", "/api/heroes?includeDeleted=true")
    #expect(heroes.data?.array?.map(\.id) == [max.id, luna.id])
    #expect(heroes.json?["pagination"]?["total"] == 1)
    let stories = try client.send("GET", "/api/stories?includeDeleted=true").data?.array ?? []
    #expect(stories.count == 3)
    #expect(stories.first == stays)
    for story in stories.dropFirst() {
      #expect(gone.map(\.id).contains(story.id))
      #expect(story["deleted"] == true)
      #expect(story.updatedAt > stays.updatedAt)
      #expect(story.object?.keys == ["id", "deleted", "updatedAt"])
    }
    for path in ["heroes/\(luna.id)", "stories/\(gone[0].id)"] {
      #expect(try client.send("GET", "/api/\(path)").status == 404)
      #expect(try client.send("PATCH", "/api/\(path)", [:]).status == 404)
      #expect(try client.send("DELETE", "/api/\(path)").status == 404, "a second time")
    }
  }

  @Test func theVersionOfARecordGrowsWithEachChange() throws {
    let server = try TestServer()
    let client = try server.client()
    var hero = try client.createHero("Luna")
    for age in 8..<30 {
      // The clock is even set back in between.
      if age == 20 { server.clock.advance(days: -1) }
      let response = try client.send(
        "PATCH", "/api/heroes/\(hero.id)", ["age": .number(JSONNumber(age))])
      let changed = try #require(response.data)
      #expect(changed.updatedAt > hero.updatedAt)
      hero = changed
    }
    #expect(hero.updatedAt == "2026-11-20T10:00:00.022000Z")
    let other = try client.createHero("Max")
    #expect(other.updatedAt >= hero.updatedAt, "an account's times never go back")
  }
}
