import Foundation
import JSONText
import StoryLibrary

/// Keeps sessions with git's credential helpers, and so in whatever keychain git knows on a system.
///
/// The session is the password of user `stories` at the server's host (gitcredentials(7)); as most
/// helpers keep nothing but that, it holds the whole session as JSON. Git never asks for anything:
/// where no helper knows the session there is none.
public struct GitCredentialStore: TokenStore {
  private let user: String

  private let program: String
  private let environment: [String: String]
  private let patience: Int

  /// A store that runs `git`.
  ///
  /// - Parameters:
  ///   - program: git, looked up in this process's `PATH`.
  ///   - environment: what git runs with.
  ///   - patience: how many seconds a helper may take, which may have to ask for a keychain to be
  ///     unlocked.
  ///   - user: the user name that the helpers keep the session under.
  public init(
    program: String = "git", environment: [String: String], patience: Int = 60,
    user: String = "stories"
  ) {
    self.user = user
    self.program = program
    self.environment = environment
    self.patience = patience
  }

  /// Looks whether git has a helper for the server's address.
  ///
  /// - Throws: `TokenStoreError.notKept` where it has none, `helper` where git cannot be run.
  public func prepare(for server: ServerAddress) async throws(TokenStoreError) {
    let helpers = try await run(["config", "--get-urlmatch", "credential.helper", server.origin])
    guard helpers?.contains(where: { !$0.isWhitespace }) == true else { throw Self.noHelper }
  }

  private static let noHelper = TokenStoreError.notKept(
    "git has no credential helper that keeps it")

  /// The session that a helper knows.
  ///
  /// - Throws: `TokenStoreError.helper` where git cannot be run or takes too long, `damaged` where
  ///   what a helper gave is no session.
  public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    guard let password = try await password(for: server) else { return nil }
    // Someone may have handed a bare token to `git credential approve`.
    guard password.hasPrefix("{") else { return Session(token: Secret(password)) }
    guard let json = try? JSONValue(parsing: Array(password.utf8)),
      let session = Session(json: json)
    else { throw .damaged(path: "git credential", why: "the session is incomplete") }
    return session
  }

  /// Gives a session to git's helpers and asks whether one has kept it.
  ///
  /// - Throws: as ``session(for:)``; `notKept` where git has no helper.
  public func save(
    _ session: Session, for server: ServerAddress
  ) async throws(TokenStoreError) {
    guard session.isRenewable else { throw .readOnly }
    // What a helper holds already is not always replaced by something new.
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

  /// Has git's helpers forget a session.
  ///
  /// - Throws: as ``session(for:)``; `notKept` where a helper still has it.
  public func remove(for server: ServerAddress) async throws(TokenStoreError) {
    guard let old = try await password(for: server) else { return }
    _ = try await run(["credential", "reject"], description(of: server) + "password=\(old)\n")
    guard try await password(for: server) == nil else {
      throw .notKept("a credential helper of git did not forget it")
    }
  }

  private func password(for server: ServerAddress) async throws(TokenStoreError) -> String? {
    guard let answer = try await run(["credential", "fill"], description(of: server)) else {
      return nil
    }
    let line = answer.split(separator: "\n").last { $0.hasPrefix("password=") }
    guard let password = line?.dropFirst("password=".count), !password.isEmpty else { return nil }
    return String(password)
  }

  private func description(of server: ServerAddress) -> String {
    let scheme = server.isSecure ? "https" : "http"
    let isUsual = server.port == (server.isSecure ? 443 : 80)
    let host = isUsual ? server.host : "\(server.host):\(server.port)"
    return "protocol=\(scheme)\nhost=\(host)\nusername=\(user)\n"
  }

  /// What git printed; `nil` where it ended with an error, as it does where nobody knows a password
  /// and it may not ask.
  private func run(
    _ words: [String], _ input: String = ""
  ) async throws(TokenStoreError) -> String? {
    let child = GitProcess.credential(words, program: program, environment: environment)
    let patience = patience
    let outcome = await withCheckedContinuation { continuation in
      // Waiting for it blocks, so it has a thread of its own.
      Thread.detachNewThread {
        continuation.resume(
          returning: Result { () throws(ChildProcess.Failure) in
            try child.run(input: Array((input + "\n").utf8), seconds: patience)
          })
      }
    }
    switch outcome {
    case .success(let result):
      return result.status == 0 ? String(decoding: result.output, as: UTF8.self) : nil
    case .failure(.notStarted): throw .helper("\(program) cannot be started")
    case .failure(.timedOut): throw .helper("\(program) did not answer in time")
    case .failure(.tooMuchOutput): throw .helper("\(program) wrote too much")
    }
  }
}
