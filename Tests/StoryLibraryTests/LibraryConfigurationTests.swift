import JSONText
import Testing

@testable import StoryLibrary

@testable import stories

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
      NamedCase("empty", ("", Problem.Code.empty, "1:1", "empty")),
      NamedCase("not JSON", ("{\n\"version\": }", .syntax, "2:12", "expected a value")),
      NamedCase("conflict markers", ("{\n<<<<<<< HEAD\n", .conflictMarkers, "2:1", "git")),
      NamedCase("a list", ("\n[]", .type, "2:1", "object")),
      NamedCase("no version", ("{}", .missing, "1:1", "“version” is missing")),
      NamedCase(
        "a version in words", (#"{"version": "1"}"#, .type, "1:13", "number of at least 1")),
      NamedCase("a version of zero", (#"{"version": 0}"#, .type, "1:13", "number of at least 1")),
      NamedCase(
        "a version and a half", (#"{"version": 1.5}"#, .type, "1:13", "number of at least 1")),
      NamedCase(
        "a server that is a number", (#"{"version": 1, "server": 7}"#, .type, "1:26", "“server”")),
      NamedCase("no server", (#"{"version": 1, "server": ""}"#, .type, "1:26", "“server”")),
      NamedCase(
        "a mistyped server",
        (#"{"version": 1, "server": "embeded"}"#, .type, "1:26", "did you mean “embedded”?")),
      NamedCase(
        "an address without a scheme",
        (#"{"version": 1, "server": "localhost:80"}"#, .type, "1:26", "https://")),
      NamedCase("another dialect", (#"{"version": 1, "api": "v2"}"#, .type, "1:23", "“api”")),
      NamedCase(
        "half an identity",
        (#"{"version": 1, "synced": {"server": "x"}}"#, .type, "1:26", "“synced”")),
      NamedCase(
        "policies in words", (#"{"version": 1, "policies": "ask"}"#, .type, "1:28", "“policies”")),
      NamedCase(
        "a policy for no kind",
        (
          #"{"version": 1, "policies": {"heros": "ask"}}"#, .choice, "1:29",
          "did you mean “heroes”?"
        )),
      NamedCase(
        "a strategy that is none",
        (
          #"{"version": 1, "policies": {"heroes": "sever"}}"#, .choice, "1:39",
          "did you mean “server”?"
        )),
      NamedCase(
        "a strategy that is a number",
        (#"{"version": 1, "policies": {"heroes": 1}}"#, .choice, "1:39", "no strategy “1”")),
      NamedCase(
        "a policy for no field",
        (
          #"{"version": 1, "policies": {"stories": {"titel": "ask"}}}"#, .choice, "1:41",
          "did you mean “title”?"
        )),
    ] as [NamedCase<(String, Problem.Code, String, String)>])
  func wrong(_ row: NamedCase<(String, Problem.Code, String, String)>) throws {
    let problem = try #require(throws: Problem.self) { try read(row.value.0) }
    #expect(problem.file == "library.json")
    #expect(problem.code == row.value.1)
    #expect(problem.position?.description == row.value.2)
    let text = problem.message + " " + (problem.advice ?? "")
    #expect(text.contains(row.value.3), "\(text)")
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
      problems.map(\.description) == [
        "library.json:2:2: “sever” is not a setting, so it has no effect"
      ]
    )
    #expect(problems.map(\.advice) == ["did you mean “server”?"])
    #expect(problems.map(\.severity) == [.warning])
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
