import Foundation
import JSONText
import StoryLibrary
import StoryServer
import Synchronization
import TestSupport
import Testing

@testable import stories

/// A library whose tokens, passwords and signed URLs are marked, and a server that is well or repeats
/// every secret in some kind of answer.
///
/// The commands are those of the parser's own table, so a new one is tried without being named here.
final class MarkedLibrary: Sendable {
  static let password = "marked-password-6c1f"
  static let signature = "marked-signature-91ab"

  let folder: TemporaryFolder
  let server: TestServer
  private let seen = Mutex<Set<String>>([])

  init(_ api: ServerAPI) throws {
    folder = try TemporaryFolder()
    server = try TestServer {
      $0.api = api
      $0.generation.engine = TestEngine()
    }
  }

  // MARK: The commands

  /// What stands for an argument that a command must have, or may have.
  private func sample(_ declaration: ParameterDeclaration) -> String {
    if let choice = declaration.choices.first { return choice }
    return switch declaration.completion {
    case .record: "heroes/luna"
    case .folder: folder.path("made")
    default:
      switch declaration.name {
      case "URL": server.url
      case "email": "a@example.org"
      default: "word"
      }
    }
  }

  /// The plainest command line of a command, with all that it needs.
  private func plain(_ path: CommandPath) -> [String] {
    var words = path.commands.dropFirst().map { $0.name }
    for declaration in path.last.declarations {
      switch declaration.form {
      case .argument:
        // Without REF many commands take everything; with it they need one that is there.
        guard declaration.isRequired || declaration.completion == .record else { continue }
        words.append(sample(declaration))
      case .option where declaration.isRequired:
        words += ["--\(declaration.name)", sample(declaration)]
      case .option: break
      case .flag:
        if ["password-stdin", "remote", "list", "full"].contains(declaration.name) {
          words.append("--\(declaration.name)")
        }
      }
    }
    return words
  }

  /// Command lines that do more than the plainest one of their command.
  private var more: [[String]] {
    [
      ["sync"], ["sync", "pull", "--full"], ["sync", "push", "--dry-run"], ["resolve", "--local"],
      ["doctor", "--fix"], ["status", "--all"], ["whoami", "--server", server.url],
      ["remote", "set", server.url], ["sign-in", "--email", "a@example.org", "--password-stdin"],
    ]
  }

  var commandLines: [[String]] {
    let leaves = DeclarationTests.all.filter { $0.last.subcommands.isEmpty }
    return leaves.map(plain) + more
  }

  // MARK: The server's answers

  private var healthPath: String { "\(server.base)/health" }
  /// Where passwords go.
  private var signInPaths: [String] {
    ["sign-in", "sign-up"].map { "/api/auth/\($0)" + (server.api == .v0 ? "" : "/email") }
  }

  /// What a server can repeat of a request to a path: the secrets that it came with, and a signed URL.
  private func repeated(for path: String) throws -> String {
    let carried: [String] =
      switch path {
      case healthPath: []
      case _ where signInPaths.contains(path): [Self.password]
      default: try currentTokens()
      }
    let url = "https://u:\(Self.password)@media.example/a.png?X-Amz-Signature=\(Self.signature)"
    return (carried + ["see \(url), please"]).joined(separator: " ")
  }

  /// Answers every request so; `%` stands for what is repeated, as a JSON text.
  private func answer(
    _ status: Int, _ body: String, _ headers: [String: String] = [:]
  ) throws {
    let special = [healthPath] + signInPaths
    for path in special + [""] {
      let text = JSONValue.string(try repeated(for: path)).compactText
      server.server.addFault(
        FaultRule(
          .answer(
            status: status,
            headers: headers.merging(["Content-Type": "application/json"]) { a, _ in a },
            body: Array(body.replacing("%", with: text).utf8)),
          condition: { path.isEmpty ? !special.contains($0.path) : $0.path == path }))
    }
  }

  /// The ways in which a server can repeat what it should not.
  func set(_ mood: String) throws {
    server.server.removeFaults()
    switch mood {
    case "refuses":
      try answer(400, #"{"error":{"code":"x","message":%,"details":{"name":%}}}"#)
    case "forbids": try answer(403, #"{"error":{"message":%}}"#)
    case "stands against": try answer(409, #"{"message":%}"#)
    case "fails": try answer(500, #"{"error":%}"#)
    case "talks": try answer(200, "it is % that came")
    case "errs": try answer(200, #"{"error":%}"#)
    case "muddles": try answer(200, #"{"data":%,"pagination":{"total":%}}"#)
    case "redirects":
      let target = "https://u:\(Self.password)@other.example/?X-Amz-Signature=\(Self.signature)"
      try answer(302, "", ["Location": target])
    case "drops": server.server.addFault(FaultRule(.dropBeforeHandling))
    case "signs out": try answer(401, #"{"error":{"message":%}}"#)
    default: signMedia()
    }
  }

  /// Lists and records whose media have signed URLs, another one at each read.
  private func signMedia() {
    let url = "\(server.url)/api/media/a.png?X-Amz-Signature=\(Self.signature)"
    let stamp =
      "\"createdAt\":\"2026-11-20T10:00:00.000Z\",\"updatedAt\":\"2026-11-20T10:00:00.000Z\""
    let hero =
      "{\"id\":\"signed\",\"name\":\"Mira\",\"age\":7,\"traits\":[\"kind\"],\"avatarUrl\":\"\(url)\",\(stamp)}"
    let pagination =
      "\"pagination\":{\"total\":1,\"limit\":100,\"offset\":0,\"hasMore\":false,\"next\":null}"
    let page =
      server.api == .v0
      ? "{\"data\":[\(hero)],\(pagination)}" : "{\"data\":{\"heroes\":[\(hero)],\(pagination)}}"
    server.server.addFault(
      FaultRule(
        .answer(status: 200, body: Array(page.utf8)), method: "GET",
        path: "\(server.base)/heroes"))
    server.server.addFault(
      FaultRule(
        .answer(status: 200, body: Array("{\"data\":\(hero)}".utf8)), method: "GET",
        path: "\(server.base)/heroes/*"))
  }

  // MARK: Running and searching

  func setting() -> CommandSetting {
    var setting = CommandSetting(folder.path("library"))
    setting.environment = [
      "STORIES_CONFIG_DIR": folder.path("config"), "HOME": folder.path("home"),
      "STORIES_RETRY": "1ms", "EDITOR": "true", "XDG_DATA_HOME": folder.path("data"),
    ]
    setting.typed = [Self.password]
    return setting
  }

  func run(_ words: [String]) async -> CommandRun {
    var setting = setting()
    let servers = ["serve": ["--port", "0"], "browse": ["--no-open"]]
    let extra = words.first.flatMap { servers[$0] } ?? []
    if !extra.isEmpty { setting.signals = Signals { AsyncStream { $0.yield(SIGTERM) } } }
    return await setting.run(words + extra + ["-vv"])
  }

  /// The tokens that are kept now.
  private func currentTokens() throws -> [String] {
    guard folder.exists("config/sessions.json") else { return [] }
    let document = try JSONValue(parsing: Array(try folder.read("config/sessions.json").utf8))
    return (document["sessions"]?.object?.members ?? []).flatMap { session in
      ["token", "refreshToken"].compactMap { session.value[$0]?.string }
    }
  }

  /// Notes the tokens that are kept now: each is a secret from then on.
  func noteTokens() throws {
    let tokens = try currentTokens()
    seen.withLock { $0.formUnion(tokens) }
  }

  /// How many tokens there were.
  var tokenCount: Int { seen.withLock(\.count) }

  /// The secrets that stand in a text, and what the server's own signed URLs have in common.
  func secrets(in text: String) -> [String] {
    (seen.withLock { Array($0) } + [Self.password, Self.signature, "&signature="])
      .filter(text.contains)
  }

  /// The files below the test's folder, but for the token file, in which a secret stands.
  func filesWithSecrets() throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    return names.compactMap { $0 as? String }.filter { name in
      guard name != "config/sessions.json",
        let data = FileManager.default.contents(atPath: folder.path(name))
      else { return false }
      return !secrets(in: name + String(decoding: data, as: UTF8.self)).isEmpty
    }
  }

  func signUp() async throws {
    if !folder.exists("library/library.json") {
      _ = try Library.create(
        at: folder.path("library"),
        configuration: LibraryConfiguration(
          server: .url(server.url),
          api: LibraryConfiguration.API(rawValue: server.api.rawValue) ?? .auto))
    }
    try folder.write(SampleLibrary.luna, to: "library/heroes/luna.json")
    let isNew = seen.withLock(\.isEmpty)
    let verb = isNew ? "sign-up" : "sign-in"
    let run = await run([verb, "--email", "a@example.org", "--password-stdin"])
    try #require(run.code == .done, "\(run.errors)")
    try noteTokens()
  }

  static let moods = [
    "is well", "refuses", "forbids", "stands against", "fails", "talks", "errs", "muddles",
    "redirects", "drops", "signs out",
  ]
}
