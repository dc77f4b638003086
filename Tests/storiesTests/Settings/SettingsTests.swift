import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct SettingsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func context(
    flags: [String] = [], environment: [String: String] = [:], file: String? = nil
  ) throws -> Context {
    if let file { try folder.write(file, to: "config/config.json") }
    let sink = OutputSink(isBuffered: false) { _ in 0 }
    let output = Output(sink: sink, isTerminal: false, width: 80)
    var context = Context(
      output: output, errors: output, input: Input(isTerminal: false) { nil },
      environment: environment.merging(["STORIES_CONFIG_DIR": folder.path("config")]) { a, _ in a },
      folder: folder.path)
    context.global.settings = flags
    return context
  }

  @Test func withoutAWordItIsAsDocumented() throws {
    let settings = try context().settings()
    #expect(
      SettingName.allCases.map { "\($0.rawValue) \(settings.text($0))" } == [
        "tokenStore file", "timeLimit none", "requestTimeout 15s", "generationTimeout 3m",
        "maxRequests 6", "rateLimit none", "retry 3:1s..30s", "keepRuns 30d", "runSpace 200MiB",
      ])
    #expect(settings.origins.isEmpty)
    let configuration = settings.clientConfiguration(nil, try context())
    #expect(configuration.timeout == ClientConfiguration().timeout)
    #expect(configuration.generationTimeout == ClientConfiguration().generationTimeout)
    #expect(configuration.maximumRequests == ClientConfiguration().maximumRequests)
    #expect(configuration.retryPolicy == ClientConfiguration().retryPolicy)
  }

  @Test func theFlagGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws {
    let file = #"{"retry": "1s", "maxRequests": 2, "requestTimeout": "5s", "tokenStore": "git"}"#
    let settings = try context(
      flags: ["retry=2", "retry=0"],
      environment: ["STORIES_RETRY": "9", "STORIES_MAX_REQUESTS": "3", "STORIES_RATE_LIMIT": ""],
      file: file
    ).settings()
    #expect(settings.retry == RetryPolicy(retries: 0))
    #expect(settings.maxRequests == 3)
    #expect(settings.requestTimeout == .seconds(5))
    #expect(settings.tokenStore == .git)
    #expect(
      settings.origins == [
        .retry: "--set", .maxRequests: "STORIES_MAX_REQUESTS", .requestTimeout: "config.json",
        .tokenStore: "config.json",
      ])
  }

  @Test(arguments: [
    (#""3""#, RetryPolicy(retries: 3)), ("4", RetryPolicy(retries: 4)),
    (
      #""5:500ms..10s""#,
      RetryPolicy(
        retries: 5, backoff: .exponential(base: .milliseconds(500), maximum: .seconds(10)))
    ),
    (
      #"["200ms", "500ms", "1s"]"#,
      RetryPolicy(
        retries: 3,
        backoff: .fixed([.milliseconds(200), .milliseconds(500), .seconds(1)]))
    ),
  ])
  func retriesAreANumberARangeOrAList(text: String, policy: RetryPolicy) throws {
    let settings = try context(file: "{\"retry\": \(text)}").settings()
    #expect(settings.retry == policy)
    #expect(try RetryPolicy.parse(settings.text(.retry)) == policy)
  }

  @Test func allOfThemReachTheClient() throws {
    let context = try context(flags: [
      "timeLimit=10m", "requestTimeout=2s", "generationTimeout=1m", "maxRequests=9",
      "rateLimit=100/1m", "retry=200ms,500ms,1s",
    ])
    let configuration = try context.settings().clientConfiguration(.v1, context)
    #expect(configuration.dialect == .v1)
    #expect(configuration.runTime == .seconds(600))
    #expect(configuration.timeout == .seconds(2))
    #expect(configuration.generationTimeout == .seconds(60))
    #expect(configuration.maximumRequests == 9)
    #expect(configuration.rateLimit == RateLimit(requests: 100, per: .seconds(60)))
    #expect(configuration.retryPolicy.retries == 3)
  }

  /// What is said, where, and what comes of it.
  @Test(arguments: [
    ("--set", "retries=3", "unknown setting “retries”"),
    ("--set", "retry", "--set retry must be a number of retries"),
    ("--set", "retry=1,2", "not “1,2”"),
    ("--set", "retry=5:10s..1s", "--set retry must be"),
    ("--set", "requestTimeout=15", "must be a time with its unit"),
    ("--set", "maxRequests=0", "a whole number from 1 to 64"),
    ("--set", "rateLimit=10", "a number and a time, such as 10/s"),
    ("--set", "tokenStore=gti", "did you mean “git”?"),
    ("STORIES_TIME_LIMIT", "soon", "STORIES_TIME_LIMIT must be a time"),
    ("config.json", "{\n  \"retrie\": 3\n}", "config.json:2:3: unknown setting “retrie”"),
    ("config.json", "{\"retry\": true}", "config.json:1:11: “retry” must be a string"),
    ("config.json", "{\"retry\": \"x\"}", "config.json:1:11: “retry” must be a number of"),
    ("config.json", "{", "config.json:1:2: "),
    ("config.json", "[]", "the settings must be an object"),
    ("config.json", "{\"pinnedKeys\": 1}", "“pinnedKeys” must be an object"),
    ("config.json", "{\"pinnedKeys\": {\"x\": []}}", "is not a server address"),
    ("config.json", "{\"pinnedKeys\": {\"https://a\": [\"b\"]}}", "“b” is no pin"),
  ])
  func whatMakesNoSenseIsToldWithItsPlace(place: String, word: String, message: String) async throws
  {
    let server = try TestServer()
    var setting = try server.library(in: folder, "a")
    setting.environment["STORIES_CONFIG_DIR"] = folder.path("config")
    var words = ["whoami"]
    switch place {
    case "--set": words += ["--set", word]
    case "config.json": try folder.write(word, to: "config/config.json")
    default: setting.environment[place] = word
    }
    let run = await setting.run(words)
    #expect(run.code == .wrongUsage)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(server.server.requestLog.isEmpty)
  }

  @Test func settingsThatOthersCanChangeAreNotGoneBy() async throws {
    let server = try TestServer()
    var setting = try server.library(in: folder, "a")
    setting.environment["STORIES_CONFIG_DIR"] = folder.path("config")
    try folder.write("{}", to: "config/config.json")
    #expect(chmod(folder.path("config/config.json"), 0o666) == 0)
    let run = await setting.run("whoami")
    #expect(run.code == .stopped)
    #expect(run.errors.contains("others can change"))
    #expect(run.errors.contains("Hint: remove their permission: chmod go-w '"))
  }

  @Test func doctorShowsEachWithItsOrigin() async throws {
    let server = try TestServer()
    var setting = try server.library(in: folder, "a")
    setting.environment["STORIES_CONFIG_DIR"] = folder.path("config")
    setting.environment["STORIES_TIME_LIMIT"] = "2h"
    let pin = "sha256/" + String(repeating: "A", count: 43) + "="
    try folder.write(
      "{\"rateLimit\": \"50/s\", \"pinnedKeys\": {\"https://other.example\": [\"\(pin)\"]}}",
      to: "config/config.json")
    let run = await setting.run("doctor", "--set", "maxRequests=3")
    #expect(run.code == .done, "\(run.errors)")
    for line in [
      "  tokenStore          file  (default)", "  timeLimit           2h  (STORIES_TIME_LIMIT)",
      "  requestTimeout      15s  (default)", "  generationTimeout   3m  (default)",
      "  maxRequests         3  (--set)", "  rateLimit           50/1s  (config.json)",
      "  retry               3:1s..30s  (default)",
      "  pinnedKeys          https://other.example  (config.json)",
    ] {
      #expect(run.lines.contains(line), "\(line) is not in \(run.output)")
    }
  }

  @Test func aPinThatCannotBeCheckedKeepsEverythingHere() async throws {
    guard !KeyPins.isCheckable else { return }
    var setting = CommandSetting(folder)
    setting.environment = [
      "STORIES_CONFIG_DIR": folder.path("config"), "STORIES_SERVER": "https://localhost:1",
      "STORIES_TOKEN": "some-token",
    ]
    let pin = "sha256/" + String(repeating: "A", count: 43) + "="
    try folder.write(
      "{\"pinnedKeys\": {\"https://localhost:1\": [\"\(pin)\"]}}", to: "config/config.json")
    let run = await setting.run("whoami")
    #expect(run.errors.contains("a key is pinned for this server, and this system cannot check it"))
    #expect(run.code == .unreachable)
  }

  /// Each setting seen at work through the program.
  @Test func retriesComeAsOftenAndAsSoonAsSet() async throws {
    let server = try TestServer()
    var setting = try server.library(in: folder, "a")
    let clock = SteppingClock()
    setting.time = clock.source
    server.server.addFault(FaultRule(.answer(status: 503), path: "/api/user/profile"))
    let run = await setting.run("whoami", "--set", "retry=200ms,500ms,1s")
    #expect(run.code == .unreachable)
    #expect(clock.slept == [.milliseconds(200), .milliseconds(500), .seconds(1)])
    #expect(
      run.errors.hasPrefix(
        "The server answered 503. Retrying in less than a second.\n"), "\(run.errors)")
    let never = await setting.run("whoami", "--set", "retry=0")
    #expect(never.code == .unreachable)
    #expect(clock.slept.count == 3)
  }

  @Test func theTimeForTheWholeRunEndsIt() async throws {
    let server = try TestServer()
    var setting = try server.library(in: folder, "a")
    setting.time = SteppingClock().source
    // The time is not over before the answer is there, which says to wait for longer than that.
    setting.time.sleep = { _ in
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
    server.server.addFault(
      FaultRule(.answer(status: 429, headers: ["Retry-After": "60"]), path: "/api/user/profile"))
    let run = await setting.run("whoami", "--set", "timeLimit=30s")
    #expect(run.code == .unreachable)
    #expect(server.server.requestLog.filter { $0.path == "/api/user/profile" }.count == 1)
  }
}
