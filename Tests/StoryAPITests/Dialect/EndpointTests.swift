import JSONText
import StoryAPI
import StoryLibrary
import Testing

@Suite struct EndpointTests {
  @Test(arguments: [
    ("plain", "0d3f-AZ_9.~", "0d3f-AZ_9.~"), ("slash", "a/b", "a%2Fb"),
    ("dots inside", "..a", "..a"), ("traversal", "../../etc", "..%2F..%2Fetc"),
    ("encoded dots", "%2e%2e", "%252e%252e"), ("query", "a?b=c", "a%3Fb%3Dc"),
    ("fragment", "a#b", "a%23b"), ("space and plus", "a b+c", "a%20b%2Bc"),
    ("backslash", "a\\b", "a%5Cb"), ("semicolon", "a;v=1", "a%3Bv%3D1"),
    ("colon", "http://x", "http%3A%2F%2Fx"), ("composed", "\u{E9}", "%C3%A9"),
    ("decomposed", "e\u{301}", "e%CC%81"), ("emoji", "🦊", "%F0%9F%A6%8A"),
    ("line end", "a\r\nb", "a%0D%0Ab"), ("nul", "\u{0}", "%00"), ("three dots", "...", "..."),
  ]) func `an id is one segment`(_ name: String, _ id: String, _ encoded: String) throws {
    #expect(try Endpoint.record(.heroes, id: id, .v0).path == "/api/heroes/\(encoded)")
    #expect(
      try Endpoint.illustrationStatus(storyID: id, .v1).path
        == "/api/v1/stories/\(encoded)/illustrations/status")
  }

  @Test(arguments: ["", ".", "..", String(repeating: "a", count: 1_025)])
  func `an id that no path can hold is refused`(_ id: String) {
    #expect {
      try Endpoint.record(.heroes, id: id, .v0)
    } throws: { error in
      if case .invalidIdentifier = error as? APIError { true } else { false }
    }
  }

  struct Route: Sendable, CustomTestStringConvertible {
    var method: HTTPMethod
    var v0: String
    var v1: String
    var authorization = Endpoint.Authorization.required
    var patience = Endpoint.Patience.standard
    var make: @Sendable (Dialect) throws -> Endpoint
    var testDescription: String { "\(method.rawValue) \(v0)" }
  }

  static let order = StoryOrder(heroID: "h", event: .builtIn("bedtime"), language: "fr")
  static let routes: [Route] = [
    Route(method: .get, v0: "/api/health", v1: "/api/v1/health", authorization: .optional) {
      .health($0)
    },
    Route(
      method: .get, v0: "/api/heroes?limit=100", v1: "/api/v1/heroes?limit=100"
    ) { try .list(.heroes, PageRequest(), $0) },
    Route(
      method: .get,
      v0:
        "/api/stories?limit=7&cursor=a%2Fb%3D%3D&updatedAfter=2026-11-20T10%3A00%3A00%2B00%3A00&includeDeleted=true&heroId=h%261",
      v1:
        "/api/v1/stories?limit=7&cursor=a%2Fb%3D%3D&updatedAfter=2026-11-20T10%3A00%3A00%2B00%3A00&heroId=h%261"
    ) {
      try .list(
        .stories,
        PageRequest(
          limit: 7, cursor: "a/b==", offset: 9, updatedAfter: "2026-11-20T10:00:00+00:00",
          includeDeleted: true, heroID: "h&1"), $0)
    },
    Route(
      method: .get, v0: "/api/custom-events?limit=100&offset=200&updatedAfter=x",
      v1: "/api/v1/custom-events?limit=100&offset=200"
    ) { try .list(.events, PageRequest(offset: 200, updatedAfter: "x", heroID: "h"), $0) },
    Route(method: .get, v0: "/api/custom-events/e", v1: "/api/v1/custom-events/e") {
      try .record(.events, id: "e", $0)
    },
    Route(method: .post, v0: "/api/heroes", v1: "/api/v1/heroes") {
      try .write(RemoteWrite(operation: .create, kind: .heroes, idempotencyKey: "k"), body: [:], $0)
    },
    Route(method: .patch, v0: "/api/stories/s", v1: "/api/v1/stories/s") {
      try .write(
        RemoteWrite(operation: .update, kind: .stories, id: "s", idempotencyKey: "k"), body: [:], $0
      )
    },
    Route(method: .delete, v0: "/api/heroes/h", v1: "/api/v1/heroes/h") {
      try .write(
        RemoteWrite(operation: .delete, kind: .heroes, id: "h", idempotencyKey: "k"), body: [:], $0)
    },
    Route(method: .post, v0: "/api/batch", v1: "/api/batch") { _ in .batch(body: [:]) },
    Route(method: .post, v0: "/api/batch/stories", v1: "/api/batch/stories") { _ in
      .storyBatch(body: [:])
    },
    Route(method: .post, v0: "/api/stories/s/play", v1: "/api/v1/stories/s/play") {
      try .play(storyID: "s", $0)
    },
    Route(
      method: .post, v0: "/api/auth/sign-up", v1: "/api/auth/sign-up/email", authorization: .never
    ) { .signUp(email: "a@b.c", password: Secret("p"), name: nil, $0) },
    Route(
      method: .post, v0: "/api/auth/sign-in", v1: "/api/auth/sign-in/email", authorization: .never
    ) { .signIn(email: "a@b.c", password: Secret("p"), $0) },
    Route(method: .post, v0: "/api/auth/sign-out", v1: "/api/auth/sign-out") {
      try #require(.signOut($0))
    },
    Route(method: .get, v0: "/api/user/profile", v1: "/api/v1/user/profile") { .profile($0) },
    Route(method: .patch, v0: "/api/user/profile", v1: "/api/v1/user/profile") {
      try .updateProfile(name: "Ada", $0)
    },
    Route(method: .get, v0: "/api/user/usage", v1: "/api/v1/user/usage") {
      try .usage($0)
    },
    Route(
      method: .post, v0: "/api/heroes/h/avatar", v1: "/api/v1/heroes/h/avatar",
      patience: .generation
    ) { try .avatar(heroID: "h", prompt: "red", idempotencyKey: "k", $0) },
    Route(method: .post, v0: "/api/stories", v1: "/api/v1/stories", patience: .generation) {
      try .generateStory(order, idempotencyKey: "k", $0)
    },
    Route(
      method: .post, v0: "/api/stories/s/audio", v1: "/api/v1/stories/s/audio",
      patience: .generation
    ) {
      try .generateAudio(
        storyID: "s", language: "en", voice: "nova", regenerates: true, idempotencyKey: "k", $0)
    },
    Route(method: .get, v0: "/api/stories/s/audio", v1: "/api/v1/stories/s/audio") {
      try .audioStatus(storyID: "s", $0)
    },
    Route(
      method: .post, v0: "/api/stories/s/illustrations", v1: "/api/v1/stories/s/illustrations",
      patience: .generation
    ) { try .generateIllustrations(storyID: "s", regenerates: false, idempotencyKey: "k", $0) },
    Route(
      method: .get, v0: "/api/stories/s/illustrations/status",
      v1: "/api/v1/stories/s/illustrations/status"
    ) { try .illustrationStatus(storyID: "s", $0) },
    Route(
      method: .get, v0: "/api/stories/s/illustrations",
      v1: "/api/v1/stories/s?includeIllustrations=true"
    ) { try .illustrations(storyID: "s", $0) },
  ]

  @Test(arguments: routes) func `every route in both dialects`(_ route: Route) throws {
    for (dialect, target) in [(Dialect.v0, route.v0), (.v1, route.v1)] {
      let endpoint = try route.make(dialect)
      #expect(endpoint.method == route.method)
      #expect(endpoint.target == target)
      #expect(endpoint.authorization == route.authorization)
      #expect(endpoint.patience == route.patience)
    }
  }

  @Test func `illustrations have no list of their own`() {
    #expect(throws: APIError.unsupported(.allIllustrations)) {
      try Endpoint.list(.illustrations, PageRequest(), .v0)
    }
  }

  @Test func `bodies are as the contract says`() throws {
    #expect(
      Endpoint.signUp(email: "a@b.c", password: Secret("p"), name: "Ada", .v0).body
        == ["email": "a@b.c", "password": "p", "name": "Ada"])
    #expect(
      Endpoint.signUp(email: "ada@b.c", password: Secret("p"), name: nil, .v1).body
        == ["email": "ada@b.c", "password": "p", "name": "ada"])
    #expect(
      try Endpoint.generateStory(Self.order, idempotencyKey: nil, .v0).body == [
        "heroId": "h", "eventType": "bedtime", "language": "fr", "generateAudio": false,
        "generateIllustrations": false,
      ])
    #expect(Endpoint.signIn(email: "a", password: Secret("p"), .v1).needsOrigin)
    #expect(!Endpoint.signIn(email: "a", password: Secret("p"), .v0).needsOrigin)
  }
}
