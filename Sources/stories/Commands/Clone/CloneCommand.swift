import JSONText
import StoryAPI
import StoryLibrary
import StoryPages
import StorySync

struct CloneCommand: Command {
  var server = ""
  var folder = ""
  var api: LibraryConfiguration.API?
  var makesRepository = false
  var allowsPlainHTTP = false

  static let name = "clone"
  static let summary = "Create a library from a server"
  static let discussion = """
    Creates a library in a new or empty folder and pulls everything you have on the server. \
    Nothing is sent. If you are not signed in, the command asks you to sign in (on a terminal), then \
    continues.

    If you cannot be asked (exit code 5), the server cannot be reached (6), or you press Ctrl-C \
    before the first record arrives (130), nothing is left behind and you can run the same command \
    again. After that, the library stays with the records received so far, and `stories sync pull` \
    in it fetches the rest.

    For a library that is already in git, use `git clone` instead.
    """
  static let examples = [
    Example("stories clone https://stories.example my-library", "then edit, and `stories sync`"),
    Example("stories clone https://stories.example my-library --git", "as a git repository"),
  ]
  static let parameters: [Parameter<CloneCommand>] = [
    .argument("URL", \.server, help: "The server's address; of a Kinto, with its bucket"),
    .argument("DIR", \.folder, help: "The new library's folder", completion: .folder),
    .option(
      "api", value: "v0|v1|kinto|auto", \.api,
      help: "The server's API; auto, the default, asks the server"),
    .allowPlainHTTP(\.allowsPlainHTTP),
    .flag("git", \.makesRepository, help: "Make it a git repository too"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if allowsPlainHTTP { try context.allowPlainHTTP(server) }
    let address = try context.advisingPlainHTTP { try context.serverAddress(server) }
    let path = Path.absolute(folder, in: context.folder)
    let root = Path.resolved(path) ?? path
    if let status = try FileSystem.status(root) {
      guard status.type == .folder else { throw ExportError.notAFolder(root) }
      guard try FileSystem.list(root).isEmpty else {
        throw Self.refusal(root, address.text, context)
      }
    }
    let configuration = try LibraryConfiguration(server: .url(address.text), api: api ?? .auto)
    let setting = ServerSetting(server: configuration.server, source: .flag)
    // Checks access to the server before anything is created.
    let remote = try RemoteServer(setting, of: nil, context)
    let (client, session) = try await signedIn(remote, context)
    do {
      _ = try await remote.user(of: session, client)
    } catch APIError.unauthorized(let reason) where reason != .tokenRefused {
      throw CommandError.notSignedIn(server: address.text)
    }
    let place = CloneFolder(root)
    let library = try Library.create(at: root, configuration: configuration)
    context.trust(library.root, with: address)
    var inner = context
    inner.folder = root
    let text: SyncText
    do {
      text = try await SyncCommand(direction: .pull).perform(library, setting, inner)
    } catch {
      guard !place.takeBack() else { throw error }
      throw error.advised(Self.wayOn(root, context))
    }
    let report = text.report
    let isKept = report.error == nil || !place.takeBack()
    let hasRepository =
      makesRepository && isKept && (try? GitProcess.initialize(root).run().status) == 0
    write(text, root, isKept: isKept, isRepository: hasRepository, inner)
    if makesRepository, isKept, !hasRepository {
      context.errors.line(Text("Error:", .error) + " git init failed in \(context.shown(root))")
      return .worst([report.exitCode, .failed])
    }
    return report.exitCode
  }

  /// Returns the client of somebody who is signed in, after asking for it on a terminal.
  private func signedIn(
    _ remote: RemoteServer, _ context: Context
  ) async throws -> (APIClient, Session) {
    do {
      return try await remote.signedInClient()
    } catch APIError.unauthorized {
      try await context.interruptible { _ = try await remote.client().serverInfo() }
      guard context.isInteractive else {
        throw CommandError.notSignedIn(server: remote.address.text)
      }
      context.output.wrapped("You are not signed in to \(remote.address.text) yet.")
      context.output.line(Text("For a new account, first: stories sign-up\(remote.option)", .faint))
      let user = try await SignInCommand().signIn(remote, context)
      context.output.line("Signed in as \(remote.account(user).name)")
      return try await remote.signedInClient()
    }
  }

  /// Returns why a folder that is not empty is left alone. A library of this server may be from an
  /// earlier clone that was interrupted.
  private static func refusal(_ root: String, _ server: String, _ context: Context) -> any Error {
    let error = CommandError.folderInUse(root)
    guard let library = try? Library(root: root), library.configuration.server.text == server else {
      return error
    }
    return error.advised(
      "it is already a library of this server; to update it: \(command(root, context))")
  }

  private static func wayOn(_ root: String, _ context: Context) -> String {
    "the library in \(context.shown(root)) stays; get the rest: \(command(root, context))"
  }

  private static func command(_ root: String, _ context: Context) -> String {
    "stories -C \(ShellWord.quoting(context.shown(root))) sync pull"
  }

  private func write(
    _ text: SyncText, _ root: String, isKept: Bool, isRepository: Bool, _ context: Context
  ) {
    if context.isJSON {
      let document: Members = [
        "schema": "stories.clone/1", "root": root, "kept": isKept, "git": isRepository,
        "sync": text.report.document(in: context),
      ]
      context.output.json(document)
    } else if isKept {
      text.write(to: context.output, context: context)
      if text.report.exitCode == .done, !context.global.isQuiet {
        context.output.line(Text("The library is in ") + Text(context.shown(root), .strong))
        if isRepository {
          context.aside(
            "Let git merge records: stories -C \(ShellWord.quoting(context.shown(root))) git setup")
        }
      }
    }
    let shown = context.shown(root)
    let again = "nothing is left in \(shown); run the same command again"
    // The usual advice does not help in a removed library.
    let advice = isKept ? Self.wayOn(root, context) : again
    text.writeFailures(context, advice: advice)
  }
}

/// The folder of a clone, and its cleanup if the clone fails.
struct CloneFolder: Sendable {
  let root: String
  /// The folders that did not exist before, the clone's and its parents, innermost first.
  private let made: [String]

  init(_ root: String) {
    self.root = root
    var made: [String] = []
    var path = root
    while path != "/", !FileSystem.exists(path) {
      made.append(path)
      path = Path.parent(path)
    }
    self.made = made
  }

  /// Removes the library if it contains nothing but its settings, its state and empty folders.
  /// Records, whether received or written by somebody meanwhile, keep it.
  ///
  /// - Returns: whether it was removed. An earlier folder stays: a shell may be in it.
  func takeBack() -> Bool {
    let settings = Path.join(root, LibraryConfiguration.fileName)
    let state = Path.join(root, Library.stateFolderName)
    guard isBare(root, but: [settings, state]) else { return false }
    // While there are settings it is a library, so they are removed after the state.
    try? FileSystem.removeTree(state)
    try? FileSystem.remove(settings)
    for kind in EntityKind.allCases {
      let folder = Path.join(root, kind.folder)
      FileSystem.removeFolderIfEmpty(Path.join(folder, ".sync"))
      FileSystem.removeFolderIfEmpty(folder)
    }
    for folder in made {
      guard FileSystem.removeFolderIfEmpty(folder) else { break }
    }
    return true
  }

  /// Returns whether a folder contains only folders, apart from some paths.
  private func isBare(_ folder: String, but known: [String] = []) -> Bool {
    guard let entries = try? FileSystem.list(folder) else { return !FileSystem.exists(folder) }
    return entries.allSatisfy { entry in
      let path = Path.join(folder, entry.name)
      return known.contains(path) || entry.type == .folder && isBare(path)
    }
  }
}
