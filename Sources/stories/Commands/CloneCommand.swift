import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// `stories clone`: a new library with everything that an account has on a server.
struct CloneCommand: Command {
  var server = ""
  var folder = ""
  var api: LibraryConfiguration.API?
  var makesRepository = false

  static let name = "clone"
  static let summary = "Make a library from what is on a server"
  static let section = HelpSection.library
  static let discussion = """
    Makes a library in a folder that is empty or not there, and pulls everything that you have on the \
    server. Nothing is sent. Where nobody is signed in (exit code 5), the server is not reached (6), or \
    Ctrl-C ends it (130) before a record was received, nothing is left of it, and the same command does \
    it again. Later than that the library stays with what was received, and `stories sync pull` in it \
    gets the rest.

    To get a library that is in git already, use `git clone` instead.
    """
  static let examples = [
    Example("stories clone https://stories.example my-library", "then edit, and `stories sync`"),
    Example("stories clone https://stories.example my-library --git", "and `git init` in it"),
  ]
  static let parameters: [Parameter<CloneCommand>] = [
    .argument("URL", \.server, help: "The server's address"),
    .argument("DIR", \.folder, help: "Where", completion: .folder),
    .option(
      "api", value: "v0|v1|auto", \.api,
      help: "Which form of the contract the server speaks; auto, the default, asks it"),
    .flag("git", \.makesRepository, help: "Make it a git repository as well"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let address = try context.serverAddress(server)
    let path = Path.absolute(folder, in: context.folder)
    let root = Path.resolved(path) ?? path
    if FileSystem.exists(root),
      try FileSystem.status(root)?.type != .folder || !FileSystem.list(root).isEmpty
    {
      throw Self.refusal(root, address.text, context)
    }
    let configuration = try LibraryConfiguration(server: .url(address.text), api: api ?? .auto)
    let setting = ServerSetting(server: configuration.server, source: .flag)
    // Whether there is anything to clone is asked before anything is made.
    let (client, session) = try await RemoteServer(setting, of: nil, context).signedInClient()
    if session.user == nil { _ = try await client.currentUser() }
    let place = CloneFolder(root)
    let library = try Library.create(at: root, configuration: configuration)
    var inner = context
    inner.folder = root
    let (report, text): (SyncReport, SyncText)
    do {
      (report, text) = try await Self.pull.perform(library, setting, inner)
    } catch {
      guard !place.takeBack() else { throw error }
      throw AdvisedError(error: error, hint: Self.wayOn(root, context))
    }
    let isKept = report.error == nil || !place.takeBack()
    let hasRepository = makesRepository && isKept && makeRepository(root)
    write(report, text, root, isKept: isKept, isRepository: hasRepository, inner)
    if makesRepository, isKept, !hasRepository {
      context.errors.line(
        Text("Error:", .error) + " git init did not work in \(context.shown(root))")
      return .worst([report.exitCode, .failed])
    }
    return report.exitCode
  }

  private static var pull: SyncCommand {
    var command = SyncCommand()
    command.direction = .pull
    return command
  }

  /// Why a folder with something in it is left alone; a library of this server may have been cloned
  /// before the machine stopped.
  private static func refusal(_ root: String, _ server: String, _ context: Context) -> any Error {
    let error = CommandError.folderInUse(root)
    guard let library = try? Library(root: root), library.configuration.server.text == server else {
      return error
    }
    return AdvisedError(
      error: error,
      hint: "it is a library of this server; bring it up to date: \(command(root, context))")
  }

  private static func wayOn(_ root: String, _ context: Context) -> String {
    "the library in \(context.shown(root)) stays; get the rest: \(command(root, context))"
  }

  /// What goes on with a library.
  private static func command(_ root: String, _ context: Context) -> String {
    "stories -C \(context.shown(root)) sync pull"
  }

  private func makeRepository(_ root: String) -> Bool {
    let git = ChildProcess(
      ["git", "-C", root, "init", "-q"], environment: ChildProcess.ownEnvironment)
    return (try? git.run().status) == 0
  }

  private func write(
    _ report: SyncReport, _ text: SyncText, _ root: String, isKept: Bool, isRepository: Bool,
    _ context: Context
  ) {
    if context.isJSON {
      context.output.json([
        "schema": "stories.clone/1", "root": .string(root), "kept": .bool(isKept),
        "git": .bool(isRepository), "sync": report.json,
      ])
    } else if isKept {
      text.write(to: context.output, context: context)
      if report.exitCode == .done, !context.global.isQuiet {
        context.output.line(Text("The library is in ") + Text(context.shown(root), .strong))
        if isRepository {
          context.note(
            Text("Let git merge records: stories -C \(context.shown(root)) git setup", .faint))
        }
      }
    }
    let shown = context.shown(root)
    let again = "nothing of it is left in \(shown); the same command does it again"
    // In a library that is gone the usual advice could not be followed.
    let advice = isKept ? Self.wayOn(root, context) : again
    text.writeFailures(context, advice: advice)
  }
}
