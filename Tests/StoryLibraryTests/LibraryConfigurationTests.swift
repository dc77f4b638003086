import JSONText
import Testing

@testable import StoryLibrary

@Suite("library.json")
struct LibraryConfigurationTests {
  private func read(_ text: String) throws(Problem) -> LibraryConfiguration {
    try LibraryConfiguration(bytes: text.bytes)
  }

  @Test("everything that can be said")
  func complete() throws {
    let configuration = try read(
      """
      {"version": 1, "server": "https://stories.example", "api": "v1",
       "policies": {"heroes": "local", "stories": {"title": "newest", "hero": "server"}},
       "synced": {"server": "https://stories.example", "account": "a1"}, "note": 1}
      """)
    #expect(configuration.version == 1)
    #expect(configuration.server == .url("https://stories.example"))
    #expect(configuration.server.text == "https://stories.example")
    #expect(configuration.api == .v1)
    #expect(configuration.synced == .init(server: "https://stories.example", account: "a1"))
    let policies = configuration.policies
    #expect(policies.strategy(for: EntityKind.heroes.field("name"), of: .heroes) == .local)
    #expect(policies.strategy(for: EntityKind.stories.field("title"), of: .stories) == .newest)
    #expect(policies.strategy(for: EntityKind.stories.field("hero"), of: .stories) == .server)
    #expect(policies.strategy(for: EntityKind.stories.field("content"), of: .stories) == .ask)
    #expect(policies.strategy(for: EntityKind.events.field("title"), of: .events) == .local)
    #expect(policies.deletedLocally(.heroes) == .local)
    #expect(policies.deletedLocally(.stories) == .ask)
    #expect(configuration.problems.isEmpty)
  }

  @Test("the least that has to be said")
  func least() throws {
    let configuration = try read(#"{"version": 1}"#)
    #expect(configuration.server == .embedded)
    #expect(configuration.api == .auto)
    #expect(configuration.synced == nil)
    #expect(configuration.policies == Policies())
    #expect(try read(#"{"version": 1, "synced": null, "policies": null}"#).synced == nil)
  }

  @Test(
    "what cannot be, and where",
    arguments: [
      NamedCase("empty", ("", .empty(isJSON: true), "1:1")),
      NamedCase("conflict markers", ("{\n<<<<<<< HEAD\n", .conflictMarkers(labels: []), "2:1")),
      NamedCase("a list", ("\n[]", .wrongSetting(nil), "2:1")),
      NamedCase("no version", ("{}", .noVersion, "1:1")),
      NamedCase(
        "a version in words", (#"{"version": "1"}"#, .wrongSetting("version", text: "1"), "1:13")),
      NamedCase("a version of zero", (#"{"version": 0}"#, .wrongSetting("version"), "1:13")),
      NamedCase(
        "a version and a half", (#"{"version": 1.5}"#, .wrongSetting("version"), "1:13")),
      NamedCase(
        "a server that is a number",
        (#"{"version": 1, "server": 7}"#, .wrongSetting("server"), "1:26")),
      NamedCase(
        "no server", (#"{"version": 1, "server": ""}"#, .wrongSetting("server", text: ""), "1:26")),
      NamedCase(
        "a mistyped server",
        (#"{"version": 1, "server": "embeded"}"#, .wrongSetting("server", text: "embeded"), "1:26")),
      NamedCase(
        "an address without a scheme",
        (
          #"{"version": 1, "server": "localhost:80"}"#,
          .wrongSetting("server", text: "localhost:80"), "1:26"
        )),
      NamedCase(
        "another dialect",
        (#"{"version": 1, "api": "v2"}"#, .wrongSetting("api", text: "v2"), "1:23")),
      NamedCase(
        "half an identity",
        (#"{"version": 1, "synced": {"server": "x"}}"#, .wrongSetting("synced"), "1:26")),
      NamedCase(
        "policies in words",
        (#"{"version": 1, "policies": "ask"}"#, .wrongSetting("policies", text: "ask"), "1:28")),
      NamedCase(
        "a policy for no kind",
        (
          #"{"version": 1, "policies": {"heros": "ask"}}"#,
          .policy(.kind, "heros", allowed: EntityKind.allCases.map(\.rawValue)), "1:29"
        )),
      NamedCase(
        "a strategy that is none",
        (
          #"{"version": 1, "policies": {"heroes": "sever"}}"#,
          .policy(.strategy, "sever", allowed: Strategy.allCases.map(\.rawValue)), "1:39"
        )),
      NamedCase(
        "a strategy that is a number",
        (
          #"{"version": 1, "policies": {"heroes": 1}}"#,
          .policy(.strategy, "1", allowed: Strategy.allCases.map(\.rawValue)), "1:39"
        )),
      NamedCase(
        "a policy for no field",
        (
          #"{"version": 1, "policies": {"stories": {"titel": "ask"}}}"#,
          .policy(.field, "titel", allowed: EntityKind.stories.schema.keyOrder), "1:41"
        )),
    ] as [NamedCase<(String, Problem.What, String)>])
  func wrong(_ row: NamedCase<(String, Problem.What, String)>) throws {
    let problem = try #require(throws: Problem.self) { try read(row.value.0) }
    #expect(problem.file == "library.json")
    #expect(problem.what == row.value.1)
    #expect(problem.position?.description == row.value.2)
  }

  @Test("a text that is not JSON")
  func notJSON() throws {
    let problem = try #require(throws: Problem.self) { try read("{\n\"version\": }") }
    #expect(problem.file == "library.json")
    #expect(problem.code == .syntax)
    #expect(problem.position?.description == "2:12")
  }

  @Test("a newer form needs only a version")
  func newer() throws {
    let configuration = try read(#"{"version": 3, "server": 7, "policies": [], "synced": "x"}"#)
    #expect(configuration.version == 3)
    #expect(configuration.server == .embedded)
  }

  @Test("a mistyped setting is told")
  func mistyped() throws {
    let problems = try read("{\"version\": 1,\n \"sever\": \"https://a\", \"note\": 1}").problems
    #expect(
      problems == [
        Problem(
          .unknownSetting("sever", nearest: "server"), severity: .warning, file: "library.json",
          position: TextPosition(line: 2, column: 2))
      ])
  }

  @Test("setting keeps all other bytes, and puts new members where they belong")
  func setting() throws {
    let text =
      "\u{FEFF}{\r\n\t\"synced\": null,\r\n\t\"version\" : 1.0,\r\n\t\"x\": {\"y\": 1e3}\r\n}"
    let configuration = try read(text)
    #expect(try configuration.setting("synced", to: .null).document.bytes.text == text)
    #expect(try configuration.setting("api", to: nil).document.bytes.text == text)
    let changed = try configuration.setting("api", to: "v1")
    #expect(
      changed.document.bytes.text
        == "\u{FEFF}{\r\n\t\"synced\": null,\r\n\t\"version\" : 1.0,\r\n\t\"api\" : \"v1\",\r\n\t\"x\": {\"y\": 1e3}\r\n}"
    )
    #expect(changed.api == .v1)
    #expect(try changed.setting("api", to: nil).document.bytes.text == text)
  }

  @Test("a setting that cannot be is refused")
  func refusedSetting() throws {
    let configuration = try LibraryConfiguration(server: .url("https://a"), api: .v0)
    #expect(throws: Problem.self) { try configuration.setting("api", to: "v9") }
    #expect(throws: Problem.self) { try configuration.setting("version", to: nil) }
  }
}
