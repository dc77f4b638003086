import JSONText
import StoryLibrary

/// Stores sessions with git's credential helpers, and thereby in any keychain that git supports.
///
/// The session is the password of user `stories` at the server's host (gitcredentials(7)). It
/// contains the whole session as JSON, since most helpers store nothing else. Git never prompts: if
/// no helper has the session, the client is signed out.
public struct GitCredentialStore: TokenStore {
  private let user: String

  private let program: String
  private let environment: [String: String]
  private let patience: Int

  /// Creates a store that runs `git`.
  ///
  /// - Parameters:
  ///   - program: Git, looked up in this process's `PATH`.
  ///   - environment: The environment of git.
  ///   - patience: The time limit of a helper in seconds, which may have to ask to unlock a
  ///     keychain.
  ///   - user: The user name for the helpers.
  public init(
    program: String = "git", environment: [String: String], patience: Int = 60,
    user: String = "stories"
  ) {
    self.user = user
    self.program = program
    self.environment = environment
    self.patience = patience
  }

  /// Checks that git has a helper for the server's address.
  ///
  /// - Throws: `TokenStoreError.notKept` if it has none, `helper` if git cannot be run.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    let helpers = try await run(["config", "--get-urlmatch", "credential.helper", server.origin])
    guard helpers?.contains(where: { !$0.isWhitespace }) == true else { throw Self.noHelper }
  }

  private static let noHelper = TokenStoreError.notKept(
    "git has no credential helper that keeps it")

  /// Returns the session from a helper.
  ///
  /// - Throws: `TokenStoreError.helper` if git cannot be run or times out, `damaged` if the
  ///   helper's data is not a session.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let password = try await password(for: server) else { return nil }
    // The user may have passed a bare token to `git credential approve`.
    guard password.hasPrefix("{") else { return Session(token: Secret(password)) }
    guard let json = try? JSONValue(parsing: Array(password.utf8)),
      let session = Session(json: json)
    else { throw .damaged(path: "git credential", why: "the session is incomplete") }
    return session
  }

  /// Passes a session to git's helpers and checks that one has stored it.
  ///
  /// - Throws: The errors of ``session(for:)``; `notKept` if git has no helper.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    guard session.isRenewable else { throw .readOnly }
    // Helpers do not always replace an existing password.
    if let old = try await password(for: server) {
      _ = try await run(["credential", "reject"], description(of: server) + "password=\(old)\n")
    }
    let password = session.json.compactText
    _ = try await run(
      ["credential", "approve"], description(of: server) + "password=\(password)\n")
    guard try await self.password(for: server) == password else {
      throw Self.noHelper
    }
  }

  /// Removes a session from git's helpers.
  ///
  /// - Throws: The errors of ``session(for:)``; `notKept` if a helper still has it.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {
    guard let old = try await password(for: server) else { return }
    _ = try await run(["credential", "reject"], description(of: server) + "password=\(old)\n")
    guard try await password(for: server) == nil else {
      throw .notKept("a credential helper of git did not forget it")
    }
  }

  /// The password that a helper has for the store's user.
  ///
  /// - Throws: `TokenStoreError.helper` where git cannot be run or takes too long.
  public func password(for server: ServerAddress) async throws(TokenStoreError) -> String? {
    guard let answer = try await run(["credential", "fill"], description(of: server)) else {
      return nil
    }
    let line = answer.split(separator: "\n").last { $0.hasPrefix("password=") }
    guard let password = line?.dropFirst("password=".count), !password.isEmpty else { return nil }
    return String(password)
  }

  private func description(of server: ServerAddress) -> String {
    let scheme = server.isSecure ? "https" : "http"
    let host = server.origin.dropFirst(scheme.count + 3)
    return "protocol=\(scheme)\nhost=\(host)\nusername=\(user)\n"
  }

  /// Returns git's output, or `nil` if git failed, as it does if no helper has a password and
  /// prompting is disabled.
  private func run(
    _ words: [String], _ input: String = ""
  ) async throws(TokenStoreError) -> String? {
    let child = GitProcess.credential(words, program: program, environment: environment)
    switch await child.runAlone(input: Array((input + "\n").utf8), seconds: patience) {
    case .success(let result):
      return result.status == 0 ? String(decoding: result.output, as: UTF8.self) : nil
    case .failure(.notStarted): throw .helper("\(program) cannot be started")
    case .failure(.timedOut): throw .helper("\(program) did not answer in time")
    case .failure(.tooMuchOutput): throw .helper("\(program) wrote too much")
    }
  }
}
